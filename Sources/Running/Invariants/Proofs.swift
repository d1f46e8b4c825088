import Failures
import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// The subject of a violation: a property of an object in a context.
struct ProofSubject {
  let context: ContextID
  /// The object's lifelong ID.
  let object: ObjectID
  let property: PropertyID

  func isOf(_ witness: ProofLine) -> Bool {
    witness.object == object && witness.property == property
  }
}

/// Finds the reads, writes and saves from which proofs are made.
extension Journal {
  func lastSet(
    _ subject: ProofSubject, _ value: Value, here: Bool? = nil, before end: Int? = nil
  ) -> Int? {
    last(before: end) { witness in
      guard subject.isOf(witness), here != !(witness.context == subject.context) else {
        return false
      }
      return witness.operation == .sets(value) || witness.operation == .batchSets(value)
    }
  }

  func lastSave(_ subject: ProofSubject, _ value: Value, here: Bool) -> Int? {
    last { witness in
      guard subject.isOf(witness), here == (witness.context == subject.context),
        case .saves(value, to: _) = witness.operation
      else { return false }
      return true
    }
  }

  /// Returns the last deletion of the object by `context`. If that context has not deleted the
  /// object, returns the last deletion by any context.
  func deletion(of object: ObjectID, by context: ContextID?) -> Int? {
    func last(by wanted: ContextID?) -> Int? {
      self.last { line in
        guard line.object == object, wanted == nil || line.context == wanted else { return false }
        switch line.operation {
        case .deletes, .batchDeletes: return true
        default: return false
        }
      }
    }
    return context.flatMap(last) ?? last(by: nil)
  }

  /// Returns the load that the running action did.
  func load(_ subject: ProofSubject, _ value: Value) -> ProofLine? {
    let position = last { witness in
      if case .loads = witness.operation {
        witness.context == subject.context && witness.object == subject.object
      } else {
        false
      }
    }
    return position.map {
      ProofLine(
        .loads(value), by: subject.context, of: subject.object, subject.property,
        step: entries[$0].witness.step)
    }
  }

  /// Returns the step that set the value, and the later saves that carried it up. Prefers a step in
  /// the subject's context if `here` is `true`, or in another context if `here` is `false`.
  func way(
    of value: Value, _ subject: ProofSubject, here: Bool? = nil, before end: Int? = nil,
    in world: World
  ) -> [Int] {
    guard
      let set = lastSet(subject, value, here: here, before: end)
        ?? lastSet(subject, value, before: end)
    else { return [] }
    let levels = entries[set].witness.context.map(world.stack.chain(from:)) ?? []
    let saves = entries.indices[set..<(end ?? entries.count)].filter { position in
      let witness = entries[position].witness
      guard subject.isOf(witness), let context = witness.context, levels.contains(context),
        case .saves(value, to: _) = witness.operation
      else { return false }
      return true
    }
    return [set] + saves
  }

  func inOrder(_ witnesses: [ProofLine]) -> [ProofLine] {
    witnesses.enumerated().sorted { ($0.element.step, $0.offset) < ($1.element.step, $1.offset) }
      .map(\.element)
  }
}
