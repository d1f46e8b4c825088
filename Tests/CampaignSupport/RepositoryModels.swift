package import Campaigns
package import TestSupport

extension Repository {
  /// The project's own models, in alphabetical order.
  package static func models() throws -> [ModelSource] {
    try modelFiles().map { .file(path: $0.path, $0.model) }
  }
}
