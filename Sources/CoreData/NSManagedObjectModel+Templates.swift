import Foundation
import InputFiles

/// The requests that a model has by name. Those of a file are made when they are asked for: one
/// whose predicate is not simulated is in the way of nothing else.
struct RequestTemplates {
  private var made: [String: NSFetchRequest<any NSFetchRequestResult>] = [:]
  private var declared: [String: ModelClasses.Request] = [:]

  subscript(name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
    get { made[name] ?? declared[name].map { NSFetchRequest($0) } }
    set { (made[name], declared[name]) = (newValue, nil) }
  }

  mutating func declare(_ request: ModelClasses.Request) { declared[request.name] = request }

  var all: [String: NSFetchRequest<any NSFetchRequestResult>] {
    made.merging(declared.mapValues { NSFetchRequest($0) }) { first, _ in first }
  }

  /// With copies of the requests.
  var copy: RequestTemplates {
    var copy = self
    copy.made = made.mapValues { $0.copied(to: NSFetchRequest<any NSFetchRequestResult>.self) }
    return copy
  }

  /// Adds those of another model whose names are new.
  mutating func add(_ other: RequestTemplates) {
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
