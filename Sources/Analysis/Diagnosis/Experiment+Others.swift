import Execution
package import Failures
import Vocabulary

extension Experiment {
  /// Returns the names of further interventions that prevent the failure and leave no other failure
  /// of its invariant.
  ///
  /// - Complexity: About ten runs, and up to 24 times as many for an interleaved program.
  package func furtherCauses(besides cause: Cause?, in part: DesignPart?) -> [String] {
    let own = cause?.text(in: part)
    var names: [String] = []
    for intervention in singleInterventions
    where isCured(by: intervention) && leavesNothing(intervention) {
      if intervention.cause == cause, cause?.isOfPart == false { continue }
      guard let name = name(of: intervention), name != own, !names.contains(name) else { continue }
      names.append(name)
    }
    return names
  }

  private var singleInterventions: [Intervention] {
    let entryPoints = program.stack.entryPoints.indices.map { index in
      Intervention(
        .entryPoint, by: .entryPoint(EntryPointID(index)), .emptyEntryPoint(EntryPointID(index)))
    }
    let observers = program.stack.observers.indices.map {
      Intervention(.observer, by: .observer($0), .omitObserver($0))
    }
    return suspectedQuirks.map { Intervention(.quirk($0), .turnOff($0)) } + policies()
      + automaticMerges + observers + entryPoints
      + Bypass.allCases.map { .omitting(.bypass($0), .program, as: .bypass($0)) }
      + (dependsOnOrder ? [.keepingOrder] : [])
      + [Intervention(.severalCoordinators, .useOneCoordinator)]
  }

  private func name(of intervention: Intervention) -> String? {
    let part = intervention.author.flatMap { DesignPart($0, in: program.stack) }
    if case .mergeNothing(in: let index)? = intervention.changes.first {
      return "\(intervention.cause.text) of \(program.stack.contexts[index].name)"
    }
    return intervention.cause.text(in: part.map(alike))
  }

  /// Returns the part merged with the equivalent parts of the design.
  private func alike(_ part: DesignPart) -> DesignPart {
    configuration.stack.map { part.mergedWithEquivalents(in: $0) } ?? part
  }
}
