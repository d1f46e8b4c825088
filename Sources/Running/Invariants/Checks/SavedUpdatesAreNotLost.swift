import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Finds saves that replaced values that their context had not seen, and saves without effect.
struct LostUpdates: InvariantCheck {
  static let invariants: [Invariant] = [.SavedUpdatesAreNotLost, .SavesAreNotIgnored]
  static let signs = EventSigns.evidence

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    for evidence in world.graph.result.evidence {
      switch evidence {
      case .overwrote(let change, base: _, let replaced, let new):
        if notes.hookWrites.contains(replaced, of: change.object, change.property, in: world) {
          continue
        }
        // A class that replaces loaded values hides which values the context has seen.
        if world.graph.isWrittenByFetches(change.property, of: change.object.entity) { continue }
        var violation = Violation(
          .SavedUpdatesAreNotLost, in: change.context, object: change.object,
          property: change.property, values: [replaced, new])
        violation.site = change.parent == nil ? .store : .program
        if world.graph.result.evidence.contains(.tookOver(change, old: replaced, new: new)) {
          violation.detail = "which its insertion had not set"
        }
        if notes.proves {
          violation.proof = notes.journal.lostUpdate(
            ProofSubject(change, in: world), replaced: replaced, by: new, in: world)
        }
        found.append(violation)
      case .ignored(let change, let wanted, found: let there):
        // The parent inserted the object, no longer has it, and never saved it. The outcome of the
        // child's save is unknown, and may be an error (CT-14).
        if there == nil, change.parent != nil,
          world.graph.permanentID(of: change.object).isTemporaryID,
          !notes.savedInsertions.contains(change.object, in: world)
        {
          continue
        }
        var violation = Violation(
          .SavesAreNotIgnored, in: change.context, object: change.object,
          property: change.property, values: [wanted] + (there.map { [$0] } ?? []))
        violation.site = change.parent == nil ? .store : .program
        if notes.proves {
          violation.proof = notes.journal.ignoredSave(
            ProofSubject(change, in: world), wanted: wanted, found: there, in: world)
        }
        found.append(violation)
      case .related, .wrote, .tookOver, .recorded, .leftOut, .lost, .missed, .merged: continue
      }
    }
  }
}

extension ProofSubject {
  fileprivate init(_ change: Evidence.Change, in world: borrowing World) {
    self.init(
      context: change.context, object: world.lifelongID(change.object), property: change.property)
  }
}

extension Journal {
  fileprivate func lostUpdate(
    _ subject: ProofSubject, replaced: Value, by new: Value, in world: World
  ) -> [ProofLine] {
    var base: Value?
    for case .overwrote(let change, let seen, _, _) in world.graph.result.evidence
    where world.lifelongID(change.object) == subject.object && change.property == subject.property {
      base = seen
    }
    let seen = base.flatMap {
      sight(of: $0, subject.object, subject.property, in: [subject.context], world)
    }
    return inOrder(
      [seen].compactMap(\.self)
        + lines(
          way(of: replaced, subject, here: false, in: world)
            + way(of: new, subject, here: true, in: world)
            // A context that has set nothing may still save the value, because `overwrite` writes
            // whole objects.
            + [lastSave(subject, new, here: true)]))
  }

  fileprivate func ignoredSave(
    _ subject: ProofSubject, wanted: Value, found: Value?, in world: World
  ) -> [ProofLine] {
    let place = world.stack.parent(of: subject.context)
    guard let found else {
      return lines([lastEnd(of: subject), lastSet(subject, wanted, here: true)]) + [
        ProofLine(
          .savesTooLate(in: place), by: subject.context, of: subject.object, subject.property)
      ]
    }
    return lines([
      lastSet(subject, found, here: false), lastSave(subject, found, here: false),
      lastSet(subject, wanted, here: true),
    ]) + [
      ProofLine(
        .savesInVain(found, in: place), by: subject.context, of: subject.object, subject.property)
    ]
  }

  /// Returns the entry at which the object ended, or `nil` if a delete rule deleted it.
  private func lastEnd(of subject: ProofSubject) -> Int? {
    last { witness in
      guard witness.object == subject.object, witness.context != subject.context else {
        return false
      }
      switch witness.operation {
      case .deletes, .batchDeletes, .leavesOut, .merges: return true
      default: return false
      }
    }
  }
}
