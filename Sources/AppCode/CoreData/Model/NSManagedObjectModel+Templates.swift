import Foundation
import InputFiles
import Synchronization

/// The fetch request templates of a model, indexed by name.
///
/// Templates of a model file are created on first use and then kept. A template whose predicate is
/// not simulated therefore affects no other template.
final class RequestTemplates {
  private var made: [String: NSFetchRequest<any NSFetchRequestResult>] = [:]
  private var declared: [String: ModelClasses.Request] = [:]
  /// Concurrent runs may share a model.
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

  /// A copy with copies of the requests.
  var copy: RequestTemplates {
    let copy = RequestTemplates()
    lock.withLock { _ in
      copy.made = made.mapValues { $0.copied(to: NSFetchRequest<any NSFetchRequestResult>.self) }
      copy.declared = declared
    }
    return copy
  }

  /// Adds the templates of another model whose names are new.
  func add(_ other: RequestTemplates) {
    let names = Set(made.keys).union(declared.keys)
    made.merge(other.made.filter { !names.contains($0.key) }) { first, _ in first }
    declared.merge(other.declared.filter { !names.contains($0.key) }) { first, _ in first }
  }
}

/// The fetch request templates of a model.
extension NSManagedObjectModel {
  /// The fetch request templates, indexed by name.
  public var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] {
    templates.all
  }

  /// Returns the fetch request template with a name, or `nil` if there is none.
  public func fetchRequestTemplate(
    forName name: String
  ) -> NSFetchRequest<any NSFetchRequestResult>? { templates[name] }

  /// Sets or removes the fetch request template with a name.
  public func setFetchRequestTemplate(
    _ request: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
  ) { templates[name] = request }

  /// Returns a copy of a fetch request template, with values substituted for the variables of its
  /// predicate. Traps if a variable has no value.
  public func fetchRequestFromTemplate(
    withName name: String, substitutionVariables variables: [String: Any]
  ) -> NSFetchRequest<any NSFetchRequestResult>? {
    guard let template = templates[name] else { return nil }
    let request = template.copied(to: NSFetchRequest<any NSFetchRequestResult>.self)
    request.predicate = template.predicate?.withSubstitutionVariables(variables)
    return request
  }
}
