import Execution
package import Failures
import Vocabulary

extension Experiment {
  /// Returns the part that is necessary for the failure, or whose step shows it. Equivalent parts
  /// count as one part.
  ///
  /// - Complexity: A few runs for each part of the design, and for each step of an observer.
  package func part(for cause: Cause?) -> DesignPart? {
    guard let part = partAlone(for: cause) else { return nil }
    return part.narrowed(to: neededStep(of: part), in: program.stack, configuration.stack)
  }

  private func partAlone(for cause: Cause?) -> DesignPart? {
    let shown = target.detail?.part
    guard let cause, configuration.stack != nil else { return shown }
    if cause.isOfPart, suspects?.scopes.contains(.storeTakers) == true, let storeTaker {
      return part(of: storeTaker)
    }
    switch cause {
    case .entryPoint: return shown
    case .observer:
      let mergers = parts(omitting: .merges).filter { $0.cause == .observer }
      if suspects?.namedPart == .merger, let merger = first(of: mergers) {
        return part(of: merger)
      }
      if case .observer? = shown { return shown }
      let all = program.stack.observersByWeight.map {
        Intervention(.observer, by: .observer($0), .omitObserver($0))
      }
      return first(of: all).flatMap(part) ?? shown
    case .design, .interleaving:
      switch suspects?.namedPart {
      case .merger?: return first(of: parts(omitting: .merges)).flatMap(part) ?? shown
      case Suspects.NamedPart.none?: return nil
      case .shown?, nil: return shown
      }
    default: return shown
    }
  }

  private func part(of intervention: Intervention) -> DesignPart? {
    intervention.author.flatMap { DesignPart($0, in: program.stack) }
  }

  /// Returns the first step of an observer that is necessary for the failure. Steps in a context
  /// are tried before steps that only record notes.
  private func neededStep(of part: DesignPart) -> AddressedStep? {
    let stack = program.stack
    let index = stack.observers.indices.first { DesignPart(.observer($0), in: stack) == part }
    guard let index else { return nil }
    let steps = stack.observers[index].steps
    if steps.count == 1 { return steps.first }
    let isNote = { (step: Int) in steps[step].step.onlyChangesAppVariables }
    let suspects = steps.indices.filter { !isNote($0) } + steps.indices.filter(isNote)
    return suspects.first { step in
      isPrevented(
        by: Intervention(.observer, by: .observer(index), .omitStep(step, ofObserver: index)))
    }.map { steps[$0] }
  }
}
