import Failures
import ObjectModel
import Vocabulary

extension Spelling {
  func line(_ claim: Claim) -> String {
    (claim.quantifier.map { "\($0.rawValue)  " } ?? "") + text(claim.condition)
  }

  private func text(_ condition: Claim.Condition) -> String {
    switch condition {
    case .count(let event, let name, let count):
      "count  \(event.rawValue) \(text(name)) \(count.text)"
    case .countPosted(let event, let context, let count):
      "count  \(event.rawValue) \(text(context)) \(count.text)"
    case .countCoordinated(let event, let coordinator, let count):
      "count  \(event.rawValue) \(stack.coordinators[coordinator.index].name) \(count.text)"
    case .countFailed(let name, let count): "count  failed \(name.text) \(count.text)"
    case .instance(let reference, let expectations):
      "equal  \(text(reference)) \(text(expectations, of: reference.name))"
    case .row(let name, let expectations):
      "equal  store.\(text(name)) \(text(expectations, of: name))"
    case .rows(let entity, let rows): "equal  store.\(model[entity].name) \(text(rows))"
    case .data(_, let places, let text):
      "\(text.prefix { $0 != " " }) \(text.drop { $0 != " " })\(self.text(places))"
    case .state(let state, let reference): "\(state.rawValue)  \(text(reference))"
    case .same(let first, let second): "same  \(text(first)) \(text(second))"
    case .distinct(let first, let second): "distinct  \(text(first)) \(text(second))"
    case .changed(let context): "changed  \(text(context))"
    case .clean(let context): "clean  \(text(context))"
    case .answered(let context, let answer): "answered  \(text(context)) \(answer)"
    case .posted(let subject, let statement): "posted  \(subject) \(statement)"
    case .failed(let name): "failed  \(name.text)"
    case .succeeded: "succeeded"
    case .deadlock: "deadlock"
    case .shows(let kind): "shows  \(kind.name)"
    case .showsNo(let kind): "no  \(kind.name)"
    }
  }

  private func text(_ expectations: [Claim.Expectation], of name: ObjectName) -> String {
    let parts = expectations.map { expectation in
      let value =
        switch expectation.value {
        case .value(let value): text(value, of: name, expectation.property)
        case .object(let object): text(object)
        case .collection(let objects): text(objects)
        }
      return "\(property(expectation.property, of: name)): \(value)"
    }
    return "{\(parts.joined(separator: ", "))}"
  }

  private func text(_ designations: [Claim.Designation]) -> String {
    "[\(designations.map { text($0) }.joined(separator: " "))]"
  }

  private func text(_ designation: Claim.Designation) -> String {
    switch designation {
    case .named(let name): text(name)
    case .permanent(let entity, let key): "\(model[entity].name)/p\(key)"
    case .temporary(let entity, let serial): "\(model[entity].name)/t\(serial)"
    }
  }
}
