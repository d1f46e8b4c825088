import ObjectModel
import Scenario
import Vocabulary

/// A violation as one sentence, with the values that prove it.
extension Violation {
  package func report(in program: Program) -> String {
    let text = EventText(model: program.model, stack: program.stack) { _ in
      name.map { program.names[$0.index] }
    }
    let place = context.map { program.stack[$0].name }
    let subject: String? = object.map { id in property.map { text.path(id, $0) } ?? text.name(id) }
    let start = "after step \(stepNumber): \(kind)"
    return "\(start). " + sentence(place ?? "", subject ?? "", values.map(text.text))
  }

  private func sentence(_ place: String, _ subject: String, _ values: [String]) -> String {
    let first = values.first ?? ""
    let second = values.last ?? ""
    return switch invariant {
    case .NoTemporaryIDOutlivesItsSave:
      "\(subject) is in the store, and \(place) still knows it by its temporary ID."
    case .ObjectsAwakenOnce: "awakeFromInsert ran for \(subject) once more, in \(place)."
    case .OneRowOneInstance: "\(place) has two instances for the row of \(subject)."
    case .InverseRelationshipsAgree:
      "\(subject) and its inverse do not agree\(place.isEmpty ? "" : " in \(place)")."
    case .UnsavedChangesStayPrivate:
      "\(place) loaded \(first) as \(subject), which somebody else has not saved."
    case .SavedChangesAreInTheStore:
      "\(place) reported \(subject) as saved; the store has "
        + (values.isEmpty ? "it otherwise." : "\(second) and not \(first).")
    case .RolledBackValuesAreNotLoaded:
      "\(place) loaded \(first) as \(subject), which had been rolled back."
    case .SavedUpdatesAreNotLost:
      "\(place) saved \(second) over \(first), which it had never seen, as \(subject)."
    case .SavesAreNotIgnored:
      "\(place) saved \(first) as \(subject), and \(second) is what there is."
    case .LoadsShowTheNewest: "\(place) loaded \(second) as \(subject); the newest is \(first)."
    case .EveryBlockRuns, .NobodyWaitsForHimself, .EveryStepComesToRest:
      "\(detail ?? invariant.sentence)."
    }
  }
}
