package import Execution
import Invariants
import ObjectModel
import Scenario
import Vocabulary

/// A violation as one sentence, with the values that prove it, and a line for each thing that
/// somebody saw or did.
extension Violation {
  package func report(in program: Program) -> String {
    let events = EventText(model: program.model, stack: program.stack) { id in
      names.first { $0.object == id }.map { program.names[$0.name.index] }
    }
    let steps = StepText(
      model: program.model, stack: program.stack, names: program.names, steps: program.steps)
    let text = ProofLineText(stack: program.stack, events: events, steps: steps)
    let subject =
      object.map { id in property.map { events.path(id, $0) } ?? events.name(id) } ?? ""
    let start = "\(place): \(kind)"
    let sentence =
      judgesDesign
      ? designSentence(subject, program.stack, steps, values.map(events.text))
      : sentence(subject, program.stack, values.map(events.text))
    return ([start + ". " + sentence] + proof.map { "  " + text.line($0) }).joined(separator: "\n")
  }

  private var judgesDesign: Bool { invariant.judgesDesign }

  private func name(_ context: ContextID?, in stack: Stack) -> String {
    context.map { stack[$0].name } ?? ""
  }

  private func sentence(_ subject: String, _ stack: Stack, _ values: [String]) -> String {
    let place = name(context, in: stack)
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
      otherContext.map {
        "\(place) had read \(first) as \(subject), which \(name($0, in: stack)) gave up."
      } ?? "\(place) loaded \(first) as \(subject), which had been rolled back."
    case .SavedUpdatesAreNotLost:
      "\(place) saved \(second) over \(first), which it had never seen, as \(subject)."
    case .SavesAreNotIgnored:
      values.count > 1
        ? "\(place) saved \(first) as \(subject), and \(second) is what there is."
        : "\(place) saved \(first) as \(subject), which is not there any more."
    case .LoadsShowTheNewest: "\(place) loaded \(second) as \(subject); the newest is \(first)."
    default: "\(detail ?? invariant.sentence)."
    }
  }

  private func designSentence(
    _ subject: String, _ stack: Stack, _ steps: StepText, _ values: [String]
  ) -> String {
    let place = name(context, in: stack)
    let other = name(otherContext, in: stack)
    return switch invariant {
    case .ReadsAreRepeatable:
      values.count == 2
        ? "\(place) showed \(subject) as \(values[0]) and then as \(values[1])."
        : "\(place) showed \(subject) with other members than before."
    case .MergedUpdatesAreNotLost:
      values[0] == values[1]
        ? "\(place) and \(other) both made \(subject) \(values[1]), and a merge made one of it."
        : "\(place) saved its edit of \(subject), \(values[1]), over \(values[0]) of \(other): a merge "
          + "had kept the edit, and no conflict was left to stop it."
    case .SavesDoNotCross: "\(other) and \(place) each changed what the other had read."
    case .ListsShowTheStores: "\(detail ?? "a list") of \(place) is not what the stores have."
    case .ContextsKeepToTheirQueues:
      "\(place) was used by \(step.map { "'\(steps.text($0))'" } ?? "a block") \(detail ?? "")."
    case .MainQueueAsksNoStore: "\(detail ?? "somebody") had the main queue and asked a store."
    case .AcknowledgedSavesOutliveAKill:
      "\(place) was told that \(detail.map { $0 + " " } ?? "")\(subject) is saved; it had got to "
        + "\(other) and no further."
    case .ContextsTakeNothingWithThem: "\(place) was given up, or reset, with unsaved changes."
    case .KillsLeaveWhatWasCommitted:
      values.count == 2
        ? "\(subject) was saved as \(values[0]); the store has \(values[1])."
        : "the row of \(subject) is not as it had been saved."
    default: "\(detail ?? invariant.sentence)."
    }
  }
}
