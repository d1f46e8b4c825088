import Execution
import ObjectModel
import Vocabulary

extension ProgramShrinker {
  /// Replaces a step with a step of a simpler kind about the same object or context (A7).
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

  /// Replaces a step outside blocks with a simpler step at a later position (A7). For example, a
  /// fetch finds rows that were saved meanwhile, and a later `refuseWrite` has fewer writes to let
  /// pass.
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
          // Simpler passes continue from here.
          if isSimpler { return }
        }
      }
      index -= 1
    }
  }

  /// Reduces contexts, references, properties, values and requests to the smallest that still fail.
  mutating func simplifyArguments() {
    for path in ProgramEdit(best).paths where !shouldYield {
      guard ProgramEdit(best).contains(path) else { continue }
      for simpler in best.program.simplerForms(of: ProgramEdit(best)[path], best.entities) {
        if attempt({ $0.replace(path, with: [simpler]) }) { break }
      }
    }
  }

  /// Replaces an entity with an earlier entity for all its objects, or with a parent entity for one
  /// object. Also simplifies properties and lists.
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

  /// Replaces an attribute with an earlier attribute everywhere, and renumbers values in the order
  /// of the steps.
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

  /// Moves steps to earlier positions among their siblings, so that programs that differ only in
  /// the order of independent steps become equal.
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

  /// Inserts an object in the parent instead of inserting it in the child and saving. The child
  /// then looks up the object. Also tries to delete another step.
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

  /// Replaces a step and deletes another (A6). The pass removes the last local minima.
  ///
  /// - Complexity: Up to one run for each pair of steps and each replacement.
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
            // Edit the later step first, so that the path of the earlier step stays valid.
            if path.comes(before: removed) {
              $0.remove(removed)
              $0.replace(path, with: [replacement])
            } else {
              $0.replace(path, with: [replacement])
              $0.remove(removed)
            }
          }
          // Simpler passes continue from here.
          if isSmaller { return }
        }
      }
    }
  }
}

extension Program {
  /// Returns a Boolean value that indicates whether the first step inserts an object that the
  /// second step may save to a parent.
  fileprivate func canInsertAbove(_ first: Int, _ second: Int) -> Bool {
    guard steps.indices.contains(second), case .insert = steps[first].step else { return false }
    let context = steps[first].context
    return steps[second] == AddressedStep(context, .save) && stack.parent(of: context) != nil
  }
}

extension ProgramEdit {
  /// Inserts the object of the first step in the parent, and looks it up instead of the save in the
  /// second step. Returns false if the steps are of other kinds.
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
