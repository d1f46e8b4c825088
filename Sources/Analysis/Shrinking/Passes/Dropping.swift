import Execution
import ObjectModel
import PropertyTesting
import Vocabulary

/// Passes that remove a part with everything that depends on it, and renumber later parts (A3).
extension ProgramShrinker {
  mutating func dropObjects() {
    var end = best.program.names.count
    while end > 0, !shouldYield {
      let base = ProgramEdit(best)
      let count = largestCount(upTo: min(end, base.names.count)) { count in
        var draft = base
        draft.removeSteps { step in
          step.step.block == nil && step.uses(anyOf: end - count..<end)
        }
        return attempt(draft)
      }
      end = min(end - count - 1, best.program.names.count)
    }
  }

  mutating func dropContexts() {
    var index = best.program.stack.contexts.count - 1
    while index >= 0, !shouldYield {
      let context = ContextID(index)
      if best.program.stack.contexts.count > 1 { attempt { $0.removeContext(context) } }
      index = min(index - 1, best.program.stack.contexts.count - 1)
    }
  }

  mutating func dropParts() {
    let stack = best.program.stack
    if stack.observers.count > 1 { attempt { $0.stack.observers = [] } }
    for index in best.program.stack.observers.indices.reversed() where !shouldYield {
      attempt { $0.stack.observers.remove(at: index) }
    }
    for index in best.program.stack.controllers.indices.reversed() where !shouldYield {
      attempt { $0.removeController(index) }
    }
    for index in best.program.stack.entryPoints.indices.reversed() where !shouldYield {
      attempt { $0.removeEntryPoint(index) }
    }
    for index in best.program.stack.promises.indices.reversed() where !shouldYield {
      attempt { $0.stack.promises.remove(at: index) }
    }
    for index in best.program.stack.contextPromises.indices.reversed() where !shouldYield {
      attempt { $0.stack.contextPromises.remove(at: index) }
    }
    for entry in best.program.stack.entryPoints.indices.reversed() where !shouldYield {
      for index in best.program.stack.entryPoints[entry].promises.indices.reversed() {
        attempt { $0.stack.entryPoints[entry].promises.remove(at: index) }
      }
    }
    if !stack.queues.isEmpty { attempt { $0.removeUnusedQueues() } }
    if !stack.flags.isEmpty { attempt { $0.removeUnusedFlags() } }
    if !stack.groups.isEmpty { attempt { $0.removeUnusedGroups() } }
    if !stack.idSets.isEmpty { attempt { $0.removeUnusedIDSets() } }
    for index in best.program.stack.coordinators.indices.reversed() where !shouldYield {
      guard best.program.stack.coordinators.count > 1 else { break }
      attempt { $0.removeCoordinator(CoordinatorID(index)) }
    }
    for index in best.program.stack.stores.indices.reversed() where !shouldYield {
      guard best.program.stack.stores.count > 1 else { break }
      attempt { $0.removeStore(StoreID(index)) }
    }
  }

  /// Replaces an object with another object of its entity, and removes its insertion (A4).
  mutating func mergeObjects() {
    var old = best.program.names.count - 1
    while old > 0 {
      let oldName = ObjectName(old)
      guard let entity = best.entities[oldName] else {
        old -= 1
        continue
      }
      for new in 0..<old where !shouldYield {
        let newName = ObjectName(new)
        guard best.entities[newName] == entity else { continue }
        let isMerged = attempt { draft in
          draft.removeSteps { step in
            if case .insert(_, as: oldName) = step.step { true } else { false }
          }
          draft.mapSteps { $0.mapNames { $0 == oldName ? newName : $0 } }
        }
        if isMerged { break }
      }
      old = min(old - 1, best.program.names.count - 1)
    }
  }

  /// Replaces the entities of two objects with an entity that has a relationship to itself, and
  /// relates the objects by it (A4). Tries one object in place of both, and also a single object
  /// that is related to itself.
  mutating func relateToItself() {
    guard best.program.isWellTyped,
      best.program.steps.contains(where: { $0.contains { $0.relation != nil } })
    else { return }
    let kinships = best.program.model.kinships
    let fitting = kinshipsByEntity(kinships)
    for old in best.program.names.indices.reversed() {
      guard let mine = best.entities[ObjectName(old)].flatMap({ fitting[$0] }) else { continue }
      for new in 0...old where !shouldYield {
        guard let theirs = best.entities[ObjectName(new)].flatMap({ fitting[$0] }) else { continue }
        for kinship in kinships where mine.contains(kinship) && theirs.contains(kinship) {
          for isMerging in old == new ? [true] : [true, false] where !shouldYield {
            var draft = ProgramEdit(best)
            let isRelated = draft.relate(
              ObjectName(old), ObjectName(new), asOne: isMerging, by: kinship)
            // Simpler passes continue from here.
            if isRelated, attempt(draft) { return }
          }
        }
      }
    }
  }

  /// Returns the kinships to which each entity of the program can be changed, because they have the
  /// properties that its objects need.
  private mutating func kinshipsByEntity(_ kinships: [Kinship]) -> [EntityID: Set<Kinship>] {
    var fitting: [EntityID: Set<Kinship>] = [:]
    for entity in best.entities.distinct {
      for kinship in kinships where !shouldYield {
        countEdit()
        var draft = ProgramEdit(best)
        if draft.replaceEntity(entity, by: kinship) {
          fitting[entity, default: []].insert(kinship)
        }
      }
    }
    return fitting
  }

  /// Moves the steps of a context to another context, first to its parent and then to any other
  /// (A4).
  mutating func mergeContexts() {
    var index = best.program.stack.contexts.count - 1
    while index >= 0 {
      let old = ContextID(index)
      let parent = best.program.stack.parent(of: old)
      let others = best.program.stack.contextIDs.filter { $0 != old && $0 != parent }
      for heir in (parent.map { [$0] } ?? []) + others where !shouldYield {
        if attempt({ $0.removeContext(old, heir: heir) }) { break }
      }
      index = min(index - 1, best.program.stack.contexts.count - 1)
    }
  }

  /// Merges a context with its parent, and replaces a step with a save (A4). The save may supply
  /// values to the parent that the child fetched or merged.
  mutating func mergeAndSave() {
    let count = best.program.steps.count
    let contexts = best.program.stack.contextIDs
    for old in contexts.reversed() {
      guard let parent = best.program.stack.parent(of: old) else { continue }
      var merged = ProgramEdit(best)
      merged.removeContext(old, heir: parent)
      guard hasStackToTry(merged) else { continue }
      for index in (0..<count).reversed() {
        for place in (0..<count).reversed() where !shouldYield {
          attempt {
            $0.lines[index].step = AddressedStep(parent, .save)
            $0.lines.insert($0.lines.remove(at: index), at: place)
            $0.removeContext(old, heir: parent)
          }
          // Simpler passes continue from here.
          guard best.program.steps.count == count,
            best.program.stack.contexts.count == contexts.count
          else { return }
        }
      }
    }
  }

  /// Merges two contexts and deletes a step that only separate contexts needed (A4).
  mutating func mergeAndDelete() {
    let contexts = best.program.stack.contextIDs
    for old in contexts.reversed() {
      for heir in contexts where heir != old {
        for path in ProgramEdit(best).paths.reversed() where !shouldYield {
          guard best.program.stack.contexts.count == contexts.count else { return }
          attempt {
            $0.remove(path)
            $0.removeContext(old, heir: heir)
          }
        }
      }
    }
  }
}
