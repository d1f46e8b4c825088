import Foundation
import InputFiles
import Synchronization

/// The requests that a model has by name. Those of a file are made when they are asked for, and
/// then kept: one whose predicate is not simulated is in the way of nothing else.
final class RequestTemplates {
  private var made: [String: NSFetchRequest<any NSFetchRequestResult>] = [:]
  private var declared: [String: ModelClasses.Request] = [:]
  /// Runs that go on side by side may share a model.
  private let lock = Mutex(())

  subscript(name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
    get {
      var request: NSFetchRequest<any NSFetchRequestResult>?
      lock.withLock { _ in
        make(name)
        request = made[name]
      }
      return request
    }
    set { lock.withLock { _ in (made[name], declared[name]) = (newValue, nil) } }
  }

  private func make(_ name: String) {
    guard let request = declared[name] else { return }
    (made[name], declared[name]) = (NSFetchRequest(request), nil)
  }

  func declare(_ request: ModelClasses.Request) { declared[request.name] = request }

  var all: [String: NSFetchRequest<any NSFetchRequestResult>] {
    var all: [String: NSFetchRequest<any NSFetchRequestResult>] = [:]
    lock.withLock { _ in
      for name in declared.keys.sorted() { make(name) }
      all = made
    }
    return all
  }

  /// With copies of the requests.
  var copy: RequestTemplates {
    let copy = RequestTemplates()
    lock.withLock { _ in
      copy.made = made.mapValues { $0.copied(to: NSFetchRequest<any NSFetchRequestResult>.self) }
      copy.declared = declared
    }
    return copy
  }

  /// Adds those of another model whose names are new.
  func add(_ other: RequestTemplates) {
    let names = Set(made.keys).union(declared.keys)
    made.merge(other.made.filter { !names.contains($0.key) }) { first, _ in first }
    declared.merge(other.declared.filter { !names.contains($0.key) }) { first, _ in first }
  }
}

/// Requests that a model has by name.
extension NSManagedObjectModel {
  /// The requests by name.
  public var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] {
    templates.all
  }

  /// The request of this name; nil if there is none.
  public func fetchRequestTemplate(
    forName name: String
  ) -> NSFetchRequest<any NSFetchRequestResult>? { templates[name] }

  /// Keeps a request under a name, or takes it away.
  public func setFetchRequestTemplate(
    _ request: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
  ) { templates[name] = request }

  /// A copy of the request of this name, with the values of the variables of its predicate. Traps
  /// if one has none.
  public func fetchRequestFromTemplate(
    withName name: String, substitutionVariables variables: [String: Any]
  ) -> NSFetchRequest<any NSFetchRequestResult>? {
    guard let template = templates[name] else { return nil }
    let request = template.copied(to: NSFetchRequest<any NSFetchRequestResult>.self)
    request.predicate = template.predicate?.withSubstitutionVariables(variables)
    return request
  }
}
