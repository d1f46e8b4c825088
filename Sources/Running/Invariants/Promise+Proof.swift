import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Violations of promises about data, and their proofs.
extension Promise {
  /// Returns the violation that a breach in a place is.
  ///
  /// - Parameter text: The text that identifies the promise, which may name an occasion.
  func violation(
    _ invariant: Invariant, _ breach: PromiseBreach, in place: DataClaim.Place,
    named text: String, _ notes: RunNotes, _ world: World
  ) -> Violation {
    let (context, name): (ContextID?, String) =
      switch place {
      case .stores: (nil, "the store")
      case .context(let context): (context, world.stack[context].name)
      }
    var violation = Violation(
      invariant, in: context, object: breach.object, property: breach.property,
      values: breach.value.map { [$0] } ?? [],
      detail: course == .eventually
        ? "'\(text)' is still violated at rest in \(name): \(breach.text)"
        : "'\(text)' is violated in \(name): \(breach.text)")
    violation.subject = .promise(text)
    if notes.proves {
      violation.proof = proof(of: breach.objects, notes.journal, world)
    }
    return violation
  }

  /// Returns the latest change of each object's promised properties, and the save that stored it.
  /// For promises about every object, also returns the last deletion.
  private func proof(
    of objects: [ObjectID], _ journal: Journal, _ world: World
  ) -> [ProofLine] {
    let mentioned = claim.mentionedProperties
    var positions: [Int?] = []
    for object in objects.map(world.lifelongID) {
      for property in mentioned {
        positions.append(
          journal.last { line in
            guard line.object == object, line.property == property else { return false }
            switch line.operation {
            case .sets, .batchSets: return true
            default: return false
            }
          })
        positions.append(
          journal.last { line in
            guard line.object == object, line.property == property else { return false }
            if case .saves = line.operation { return true }
            return false
          })
      }
    }
    if claim.isAboutEveryObject {
      positions.append(
        journal.last { line in
          switch line.operation {
          case .deletes, .batchDeletes: true
          default: false
          }
        })
    }
    return journal.lines(positions)
  }
}
