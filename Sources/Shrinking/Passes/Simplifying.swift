import Execution
import ObjectModel
import Vocabulary

/// The same steps, simpler.
extension ProgramShrinker {
  /// A7. A step by one of a simpler kind about the same object, or else about the same context.
  mutating func weakenSteps() {
    for path in ProgramEdit(best).paths where !shouldYield {
      guard ProgramEdit(best).contains(path) else { continue }
      let step = ProgramEdit(best)[path]
      guard step.step.block == nil else { continue }
      for weaker in best.program.weakerSteps(than: step, best.entities)
      where weaker.rank < step.rank {
        if attempt({ $0.replace(path, with: [weaker]) }) { break }
      }
    }
  }

  /// A7. A step outside blocks by a simpler one that has to come later: a fetch finds what was
  /// saved meanwhile, and a store refuses an earlier one of the writes that are left.
  mutating func postponeSteps() {
    var index = best.program.steps.count - 1
    while index >= 0 {
      let step = best.program.steps[index]
      for simpler in best.program.laterForms(of: step, best.entities) {
        for later in (index + 1)..<best.program.steps.count where !shouldYield {
          let isSimpler = attempt {
            $0.lines[index].step = simpler
            $0.lines.insert($0.lines.remove(at: index), at: later)
          }
          // Simpler passes go on from here.
          if isSimpler { return }
        }
      }
      index -= 1
    }
  }

  /// Contexts, references, properties, values and requests, each to the smallest that still fails.
  mutating func simplifyArguments() {
    for path in ProgramEdit(best).paths where !shouldYield {
      guard ProgramEdit(best).contains(path) else { continue }
      for simpler in best.program.simplerForms(of: ProgramEdit(best)[path], best.entities) {
        if attempt({ $0.replace(path, with: [simpler]) }) { break }
      }
    }
  }

  /// All objects of one entity become objects of an earlier one, or one object of what its entity
  /// is.
  mutating func simplifyEntities() {
    generalizeObjects()
    for old in best.program.model.concreteEntities.reversed() where best.program.speaks(of: old) {
      for new in best.program.model.concreteEntities where new < old && !shouldYield {
        var draft = ProgramEdit(best)
        guard draft.replaceEntity(old, with: new) else {
          countEdit()
          continue
        }
        if attempt(draft) { break }
      }
    }
    simplifyProperties()
    for index in best.program.stack.controllers.indices where !shouldYield {
      let request = best.program.stack.controllers[index].request
      attempt { $0.stack.controllers[index].sectionProperty = nil }
      attempt { $0.stack.controllers[index].request.predicate = [] }
      let attributes = best.program.model[request.entity].storedAttributeIDs
      for property in attributes {
        attempt { draft in
          draft.stack.controllers[index].sectionProperty = nil
          draft.stack.controllers[index].request.sortDescriptors = [
            .init(property: property, ascending: true)
          ]
        }
      }
    }
  }

  private mutating func generalizeObjects() {
    let model = best.program.model
    guard best.program.isWellTyped else { return }
    for path in ProgramEdit(best).paths where !shouldYield {
      guard ProgramEdit(best).contains(path) else { continue }
      let step = ProgramEdit(best)[path]
      guard case .insert(let entity, as: let name) = step.step else { continue }
      for general in model.concreteEntities
      where general != entity && model.entity(entity, inherits: general) {
        if attempt({ $0.insertEverywhere(name, as: general) }) { break }
      }
    }
  }

  /// One attribute for another, everywhere at once, and values in the order in which they come.
  private mutating func simplifyProperties() {
    let model = best.program.model
    for entity in model.concreteEntities where best.program.speaks(of: entity) {
      let attributes = model[entity].storedAttributeIDs
      for old in attributes.reversed() {
        for new in attributes where new < old && !shouldYield {
          if attempt({ $0.replaceProperty(old, with: new, of: entity) }) { break }
        }
      }
      attempt { $0.renumberValues(of: entity) }
    }
  }

  /// Neighbours that do not depend on each other stand in one order, so that different programs end
  /// as the same.
  mutating func sortSteps() {
    for path in ProgramEdit(best).paths where !shouldYield {
      guard let index = path.indexes.last, index > 0, ProgramEdit(best).contains(path) else {
        continue
      }
      for earlier in 0..<index {
        if attempt({ $0.move(path, to: earlier) }) { break }
      }
    }
  }

  /// An object that a context inserts and hands to its parent by a save may as well be its
  /// parent's, and the context loads it; alone, or with a step less.
  mutating func insertAbove() {
    let count = best.program.steps.count
    for first in 0..<count {
      for second in (first + 1)..<max(count, first + 1)
      where best.program.canInsertAbove(first, second) {
        for removed in [nil]
          + (0..<count).filter({ $0 != first && $0 != second }).map(Optional.some)
        where !shouldYield {
          guard best.program.steps.count == count else { return }
          attempt { draft in
            guard draft.insertAbove(first, second) else { return }
            if let removed { draft.lines.remove(at: removed) }
          }
        }
      }
    }
  }

  /// A6. Another step in the place of one, and another less. Removes the last local minima, and
  /// costs the square of the program.
  mutating func replaceAndDelete() {
    let base = ProgramEdit(best)
    let paths = base.paths
    let ofSaves = best.program.replacements(ofSaves: true, best.entities)
    let ofOthers = best.program.replacements(ofSaves: false, best.entities)
    for removed in paths.reversed() {
      for path in paths where path != removed && !path.isInside(removed) && !shouldYield {
        let step = base[path]
        for replacement in step.step == .save ? ofSaves : ofOthers
        where replacement != step && !shouldYield {
          let isSmaller = attempt {
            // Later steps first, so that the other path still leads where it did.
            if path.comes(before: removed) {
              $0.remove(removed)
              $0.replace(path, with: [replacement])
            } else {
              $0.replace(path, with: [replacement])
              $0.remove(removed)
            }
          }
          // Simpler passes go on from here.
          if isSmaller { return }
        }
      }
    }
  }
}

extension Program {
  /// Whether the first step inserts what the second may save to a parent.
  fileprivate func canInsertAbove(_ first: Int, _ second: Int) -> Bool {
    guard steps.indices.contains(second), case .insert = steps[first].step else { return false }
    let context = steps[first].context
    return steps[second] == AddressedStep(context, .save) && stack.parent(of: context) != nil
  }
}

extension ProgramEdit {
  /// Whether the first step inserts what the second saves to the parent.
  fileprivate mutating func insertAbove(_ first: Int, _ second: Int) -> Bool {
    let context = lines[first].step.context
    guard case .insert(let entity, as: let name) = lines[first].step.step,
      lines[second].step == AddressedStep(context, .save), let parent = stack.parent(of: context)
    else { return false }
    lines[first].step = AddressedStep(parent, .insert(entity, as: name))
    let reference = HeldInstance(parent, name)
    lines[second].step = AddressedStep(context, .existingObject(with: reference, as: name))
    return true
  }
}

extension ProgramEdit.Path {
  fileprivate func isInside(_ other: ProgramEdit.Path) -> Bool {
    list == other.list && indexes.starts(with: other.indexes)
  }

  fileprivate func comes(before other: ProgramEdit.Path) -> Bool {
    list == other.list && indexes.lexicographicallyPrecedes(other.indexes)
  }
}
