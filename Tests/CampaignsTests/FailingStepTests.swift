import CampaignSupport
import Campaigns
import Determinism
import Execution
import ObjectModel
import ReferenceModel
import Scenario
import TestSupport
import Testing
import Vocabulary

/// Steps that are not allowed, or that a store cannot perform.
@Suite struct `A step that fails` {
  private func campaign() throws -> (FuzzCampaign, [ModelSource]) {
    let models = try Repository.models() + [.generated]
    return (FuzzCampaign(CampaignSettings(models: models)), models)
  }

  /// Returns whether a step had an effect. Faults that it fired and instances that it registered do
  /// not count.
  private func hasEffect(_ before: [InstanceView], _ after: [InstanceView]) -> Bool {
    let wasRealised = before.filter { !$0.isFault || $0.isDeleted }
    return wasRealised.contains { view in !after.contains(view) }
  }

  /// Returns whether an action may have effects although it fails. A save may fail after deletes
  /// have propagated and `willSave` has run (RL-10, LC-09).
  private func mayHaveEffect(_ action: Action, _ failure: Failure) -> Bool {
    if case .willSaveLoop = failure { return true }
    // A loop treats several objects, and ends at the first that fails.
    if case .step(let step, _) = action, case .forEach = step.step { return true }
    // Validation fires faults. A fault whose row is gone becomes a deletion (FL-14).
    if case .step(let step, _) = action, case .validate = step.step { return true }
    return action.isSavePhase
  }

  /// The reference model predicts each result, and every campaign compares it with the engine. So
  /// it is enough to test the reference model.
  @Test func `a step that fails changes nothing that can be observed`() throws {
    let (campaign, models) = try campaign()
    var failedCount = 0
    for index in 0..<600 {
      var choices = Choices(seed: Generator.derive(81, UInt64(index)))
      var actions: [Action] = []
      let outcome = campaign.run(models[index % models.count], &choices) { action, _ in
        actions.append(action)
      }
      let program = outcome.program
      var reference = ReferenceStack(
        model: program.model, stack: program.stack, quirks: Profile.current.quirks)
      let stores = program.stack.stores.indices.map { StoreID($0) }
      for action in actions {
        let before = reference
        guard case .failed(let failure) = reference.perform(action).last else { continue }
        failedCount += 1
        #expect(
          stores.allSatisfy { reference.rows(of: $0) == before.rows(of: $0) }, "\(action)")
        if mayHaveEffect(action, failure) { continue }
        for context in program.stack.contextIDs {
          #expect(
            !hasEffect(before.view(of: context), reference.view(of: context)),
            "\(action) in run \(index)")
        }
      }
    }
    #expect(failedCount > 1_000, "\(failedCount)")
  }

  /// Names that need not be reached, each with the reason.
  private static let excuses: [(FailureName, String)] = []

  /// Continues until all names are reached, and prints how many programs reached each.
  @Test func `ten thousand programs fail in every way that has a name`() throws {
    let (campaign, models) = try campaign()
    var counts = FailureName.all.map { _ in 0 }
    for index in 0..<10_000 where counts.contains(0) {
      var choices = Choices(seed: Generator.derive(82, UInt64(index)))
      var isMet = counts.map { _ in false }
      _ = campaign.run(models[index % models.count], &choices) { _, events in
        for case .failed(let failure) in events {
          for (place, name) in FailureName.all.enumerated() where name.names(failure) {
            isMet[place] = true
          }
        }
      }
      for place in counts.indices where isMet[place] { counts[place] += 1 }
    }
    for (name, count) in zip(FailureName.all, counts) { print("\(name.text): \(count)") }
    let unreached = zip(FailureName.all, counts).filter { $1 == 0 }.map(\.0)
    #expect(unreached == `A step that fails`.excuses.map(\.0))
  }
}

extension Action {
  fileprivate var isSavePhase: Bool {
    if case .step(_, let phase) = self { return phase != .whole }
    return false
  }
}
