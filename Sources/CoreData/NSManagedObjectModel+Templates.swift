import Foundation

/// Requests that a model has by name.
extension NSManagedObjectModel {
  /// The requests by name: not those of a model file.
  public var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] {
    templates
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
