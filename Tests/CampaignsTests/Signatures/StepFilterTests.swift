import CampaignSupport
import Campaigns
import Determinism
import Execution
import Failures
import Generation
import InputFiles
import Scenario
import TestSupport
import Testing
import Vocabulary

/// A kind of step that is left out is never generated and never printed, whatever combination of
/// options is given.
@Suite struct `An option that leaves something out` {
  /// Kinds that most programs have. Leaving them out removes most steps.
  private static let everyday: [StepGenerator.Kind] = [
    .insert, .set, .save, .get, .fetch, .relate, .delete, .object, .refresh, .perform,
    .performAndWait, .hasChanges, .call, .existingObject, .mergeChanges,
  ]
  private static let kinds = StepGenerator.Kind.allCases.filter(\.isStep)
  private static let stacks = StackFile.names(in: Repository.root + "/Fixtures/Stacks")

  private static func some(
    _ count: Int, of kinds: [StepGenerator.Kind], _ generator: inout Generator
  ) -> [StepGenerator.Kind] {
    (0..<count).map { _ in kinds[generator.next(below: kinds.count)] }
  }

  /// A small campaign on one model, on a stack of the folder or on a generated one.
  private static func settings(
    _ generator: inout Generator, isDesigned: Bool
  ) throws -> CampaignSettings {
    let models = try Repository.models() + [.generated]
    var settings = CampaignSettings(models: [models[generator.next(below: models.count)]])
    if isDesigned {
      let name = stacks[generator.next(below: stacks.count)]
      settings.stack = try StackFile.read(path: "\(Repository.root)/Fixtures/Stacks/\(name).stack")
        .stack
    }
    settings.seed = generator.next()
    (settings.runs, settings.steps, settings.shrinkBudget) = (30, 30, 60)
    return settings
  }

  /// Returns everything that a campaign generates, and everything that it prints.
  private func programs(
    of settings: CampaignSettings
  ) -> (generated: [Program], printed: [(kind: FailureKind, example: Scenario)]) {
    let campaign = FuzzCampaign(settings, certifying: 1)
    let generated = (1...settings.runs).map { number in
      let (source, seed) = campaign.origin(ofProgram: number)
      var choices = campaign.choices(seed, source)
      return campaign.run(source, &choices).program
    }
    let report = campaign.run()
    let failures = report.violations + report.misuses + report.disagreements
    return (generated, failures.map { ($0.kind, $0.example) })
  }

  private func isLeftOut(_ kind: Step.Kind, by without: [StepGenerator.Kind]) -> Bool {
    StepGenerator.Kind(named: kind.word).map(without.contains) ?? false
  }

  // MARK: Kinds of steps

  private func check(without: [StepGenerator.Kind], _ settings: CampaignSettings) {
    var settings = settings
    settings.stepFilter.without = without
    let (generated, printed) = programs(of: settings)
    let label = "without \(without.map(\.name)), seed \(settings.seed)"
    let left = generated.flatMap(\.steps).kinds.filter { isLeftOut($0, by: without) }
    #expect(left.isEmpty, "\(label): generated \(left)")
    for (kind, example) in printed {
      let left = example.items.map(\.step).kinds.filter { isLeftOut($0, by: without) }
      #expect(left.isEmpty, "\(label): the example of \(kind) has \(left)")
    }
  }

  @Test(arguments: 0..<6)
  func `no program has a step of a kind that is left out`(number: Int) throws {
    var generator = Generator(seed: Generator.derive(2_701, UInt64(number)))
    let isDesigned = number % 2 == 0
    let settings = try Self.settings(&generator, isDesigned: isDesigned)
    let count = 1 + generator.next(below: 3)
    let pool = generator.next(below: 3) > 0 ? Self.everyday : Self.kinds
    check(without: Self.some(count, of: pool, &generator), settings)
  }

  /// The steps to which a program falls back are not of a kind that is left out.
  @Test func `no program has such a step where nothing else would be left`() throws {
    var generator = Generator(seed: 2_702)
    for without: [StepGenerator.Kind] in [
      [.insert, .set, .hasChanges], [.insert, .set, .hasChanges, .processPendingChanges, .save],
    ] {
      check(without: without, try Self.settings(&generator, isDesigned: false))
    }
  }

  /// Programs avoid a suspended queue with blocks. A design may suspend a queue, too.
  @Test func `no program has such a step where a queue is suspended`() throws {
    let text = """
      # Writing pauses while the user drags.

      stack  writer-that-pauses
      origin  inferred  DispatchObject.suspend()

        store  main
        view  mainQueue coordinator store
        work  privateQueue coordinator store
        entry  pause
          work  suspend
        entry  saveEverything
          view  save
          work  perform
            save

      """
    let design = try StackDesignText.parse(text) { .failure(UnreadableModel(message: $0)) }
    var generator = Generator(seed: 2_703)
    for without: [StepGenerator.Kind] in [[.perform], [.suspend], [.perform, .suspend], [.save]] {
      var settings = try Self.settings(&generator, isDesigned: false)
      settings.stack = design.stack
      settings.withSteps = [.suspend]
      check(without: without, settings)
    }
    // A generated program suspends a queue by itself.
    for seed in 0..<2 as Range<UInt64> {
      var settings = try Self.settings(&generator, isDesigned: false)
      settings.seed = seed
      settings.stepFilter.only = [.suspend, .save, .insert, .set, .perform]
      check(without: [.perform], settings)
    }
  }

  /// A call of an app's function is not written out as the steps of that function.
  @Test func `no program has such a step in the place of a call`() throws {
    let path = "\(Repository.root)/Fixtures/Stacks/modal-edit-child.stack"
    var settings = CampaignSettings(models: try Repository.models())
    settings.stack = try StackFile.read(path: path).stack
    (settings.runs, settings.steps, settings.shrinkBudget) = (40, 40, 60)
    for without: [StepGenerator.Kind] in [[.save], [.performAndWait], [.discard, .save]] {
      check(without: without, settings)
    }
  }

  /// The kinds without which steps of the requested kinds are impossible: objects, their values and
  /// mandatory relationships, and the ends of what the steps began.
  private func needs(
    of only: [StepGenerator.Kind], on stack: Stack?
  ) -> [StepGenerator.Kind] {
    var needs: [StepGenerator.Kind] = [.insert, .set, .relate]
    // A context that is only read, and has nothing to read yet, gets a question.
    if stack?.contexts.contains(where: \.isReadOnly) == true { needs.append(.hasChanges) }
    if only.contains(.disableUndoRegistration) { needs.append(.enableUndoRegistration) }
    if only.contains(.removeStore) || only.contains(.destroyStore) { needs.append(.addStore) }
    // The step is on the context's queue, which the program's thread takes first.
    if only.contains(.directly) { needs.append(.performAndWait) }
    if only.contains(.performBackgroundTask) { needs.append(.save) }
    // The program's thread resumes the queue, so steps that could wait for that are sent to a
    // queue.
    if only.contains(.suspend) { needs.append(.perform) }
    return needs
  }

  @Test(arguments: 0..<4)
  func `a program keeps to the kinds that are asked for`(number: Int) throws {
    var generator = Generator(seed: Generator.derive(2_704, UInt64(number)))
    let settings = try Self.settings(&generator, isDesigned: number % 2 == 0)
    let count = 2 + generator.next(below: 6)
    let pool = generator.next(below: 2) > 0 ? Self.everyday : Self.kinds
    check(only: Self.some(count, of: pool, &generator), settings)
  }

  /// Blocks that end with the entry point that discards their context have a different shape.
  @Test func `a program keeps to them where an entry point ends a piece of work`() throws {
    var generator = Generator(seed: 2_707)
    let path = "\(Repository.root)/Fixtures/Stacks/magicalrecord-save-blocks.stack"
    for only: [StepGenerator.Kind] in [
      [.insert, .save, .set], [.insert, .set, .call, .perform], [.set, .perform],
    ] {
      var settings = try Self.settings(&generator, isDesigned: false)
      settings.stack = try StackFile.read(path: path).stack
      check(only: only, settings)
    }
  }

  private func check(only: [StepGenerator.Kind], _ settings: CampaignSettings) {
    var settings = settings
    settings.stepFilter.only = only
    let allowed = only + needs(of: only, on: settings.stack)
    let (generated, printed) = programs(of: settings)
    let label = "only \(only.map(\.name)), seed \(settings.seed)"
    let others = generated.flatMap(\.steps).kinds.filter { !isLeftOut($0, by: allowed) }
    #expect(others.isEmpty, "\(label): generated \(others)")
    for (kind, example) in printed {
      let others = example.items.map(\.step).kinds.filter { !isLeftOut($0, by: allowed) }
      #expect(others.isEmpty, "\(label): the example of \(kind) has \(others)")
    }
  }

  // MARK: Merge policies

  @Test(arguments: MergePolicy.allCases)
  func `a program has no other merge policy`(policy: MergePolicy) throws {
    var generator = Generator(seed: 2_705)
    var settings = try Self.settings(&generator, isDesigned: false)
    settings.limits.mergePolicies = [policy]
    settings.profile = .legacy
    let (generated, printed) = programs(of: settings)
    #expect(!printed.isEmpty)
    let used = Set(generated.flatMap(\.stack.contexts).map(\.mergePolicy))
    #expect(used == [policy])
    for (kind, example) in printed {
      let others = example.stack.contexts.map(\.mergePolicy).filter { $0 != policy }
      #expect(others.isEmpty, "\(policy): the example of \(kind) has \(others)")
    }
  }

  // MARK: Designed stacks

  /// Merges, and steps that bypass contexts, are left to the design.
  @Test func `a designed stack leaves out steps, except those that are asked for`() throws {
    var filter = StepFilter()
    filter.without = [.save, .sleep]
    #expect(Set(filter.forDesign(allowing: []).without).isSuperset(of: StepFilter.leftToDesigns))
    #expect(filter.forDesign(allowing: []).without.count { $0 == .sleep } == 1)
    let asked = filter.forDesign(allowing: [.mergeChanges, .save, .sleep]).without
    #expect(!asked.contains(.mergeChanges) && asked.contains(.mergeHistory))
    // Kinds that are left out stay out.
    #expect(asked.contains(.save) && asked.contains(.sleep))
    filter.only = [.batchInsert]
    #expect(!filter.forDesign(allowing: []).without.contains(.batchInsert))

    var generator = Generator(seed: 2_706)
    let settings = try Self.settings(&generator, isDesigned: true)
    let (generated, printed) = programs(of: settings)
    for steps in generated.map(\.steps) + printed.map({ $0.example.items.map(\.step) }) {
      let left = steps.kinds.filter { isLeftOut($0, by: StepFilter.leftToDesigns) }
      #expect(left.isEmpty, "\(left), seed \(settings.seed)")
    }
  }
}
