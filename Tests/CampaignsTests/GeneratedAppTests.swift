import CampaignSupport
import Campaigns
import Determinism
import Execution
import Generation
import InputFiles
import Scenario
import ScenarioChecking
import TestSupport
import Testing
import Vocabulary

/// Parts of an app's code in generated programs: conditions, loops, flags, groups, sets of IDs, and
/// requests about more than an object's own values.
@Suite struct `A generated app` {
  private static let parts = StepGenerator.Kind.allCases.filter(\.isPartOfApp)

  private func programs(
    _ count: Int, _ filter: StepFilter = StepFilter(), seed: UInt64 = 75
  ) throws -> [Program] {
    let models = try Repository.models() + [.generated]
    var settings = CampaignSettings(models: models)
    settings.stepFilter = filter
    let campaign = FuzzCampaign(settings)
    return (0..<count).map { index in
      var choices = Choices(seed: Generator.derive(seed, UInt64(index)))
      return campaign.run(models[index % models.count], &choices).program
    }
  }

  /// Returns all steps, including blocks and the steps in them.
  private func flat(_ steps: [AddressedStep]) -> [Step] {
    steps.flatMap { [$0.step] + flat($0.step.block ?? []) }
  }

  @Test func `generated apps have loops over every set and every condition`() throws {
    var sets: Set<String> = []
    var treatments: Set<Treatment> = []
    var questions: Set<String> = []
    for step in try programs(400).flatMap({ flat($0.steps) }) {
      switch step {
      case .forEach(let set, let treatment):
        if case .remembered = set { sets.insert("remembered") } else { sets.insert("\(set)") }
        treatments.insert(treatment)
      case .when(let condition, _):
        let question = condition.flag == nil ? "\(condition.question)" : "flag"
        questions.insert(question + (condition.isNegated ? ", negated" : ""))
      default: break
      }
    }
    #expect(sets == ["registered", "inserted", "updated", "remembered"])
    #expect(treatments.count == 6, "\(treatments)")
    let names = ["hasChanges", "onMainThread", "offMainThread", "flag"]
    #expect(questions == Set(names + names.map { $0 + ", negated" }))
  }

  @Test func `generated apps have queries of every form`() throws {
    var forms: Set<String> = []
    func note(_ tree: PredicateTree) {
      switch tree {
      case .and(let parts), .or(let parts):
        forms.insert(tree == .and(parts) ? "and" : "or")
        parts.forEach(note)
      case .not(let part):
        forms.insert("not")
        note(part)
      case .comparison(let left, _, _, _, let modifier):
        if case .count = left { forms.insert("count of members") }
        if left.paths.contains(where: { $0.count > 1 }) { forms.insert("path") }
        if modifier != nil { forms.insert("modifier") }
      case .constant, .matches, .isOf: break
      }
    }
    for step in try programs(400).flatMap({ flat($0.steps) }) {
      switch step {
      case .fetch(let request, as: _), .count(let request):
        request.tree.map(note)
        if request.sortsByKeyPaths { forms.insert("key path") }
        if !request.propertiesToGroupBy.isEmpty { forms.insert("groups") }
        if request.returnsDistinctResults { forms.insert("distinct") }
        if request.tree != nil, request.fetchLimit > 0 { forms.insert("limit") }
        for aggregate in request.aggregates { forms.insert(aggregate.function.rawValue) }
        if case .count = step, request.tree != nil { forms.insert("counted") }
      case .batch(let request) where request.tree != nil:
        forms.insert("in a batch")
        request.tree.map(note)
      default: break
      }
    }
    let expected = [
      "and", "or", "not", "count of members", "path", "modifier", "key path", "groups", "distinct",
      "limit", "counted", "in a batch",
    ]
    for form in expected + Aggregate.Function.allCases.map(\.rawValue) {
      #expect(forms.contains(form), "\(form)")
    }
  }

  /// Otherwise the generator would make steps wait for a group forever.
  @Test func `a generated app leaves the groups that it enters`() throws {
    var (entered, leaks, extra) = (0, 0, 0)
    for program in try programs(900) {
      let steps = flat(program.steps)
      for group in program.stack.groups.indices.map({ GroupID($0) }) {
        let (enters, leaves) = (
          steps.count { $0 == .enter(group) }, steps.count { $0 == .leave(group) }
        )
        entered += enters
        // An extra `leave` in the same program would hide a missing one, so extra ones must be
        // rare.
        leaks += max(0, enters - leaves)
        extra += max(0, leaves - enters)
      }
    }
    #expect(entered > 30)
    #expect(leaks == 0, "\(leaks) of \(entered)")
    #expect(extra * 4 < entered, "\(extra) of \(entered)")
  }

  @Test(arguments: Self.parts + [.query])
  func `a generated app lacks each part that it is to leave out`(kind: StepGenerator.Kind) throws {
    var filter = StepFilter()
    filter.without = [kind]
    let left = try programs(200, filter).flatMap(\.steps).kinds.filter {
      StepGenerator.Kind(of: $0) == kind
    }
    #expect(left.isEmpty, "\(left)")
    if kind == .query {
      let trees = try programs(200, filter).flatMap { flat($0.steps) }.count { step in
        switch step {
        case .fetch(let request, as: _), .count(let request): request.tree != nil
        case .batch(let request): request.tree != nil
        default: false
        }
      }
      #expect(trees == 0)
    }
  }

  /// A kind that is requested alone is chosen by itself.
  @Test(arguments: Self.parts + [.query])
  func `a generated app has each part that it is asked for`(kind: StepGenerator.Kind) throws {
    var filter = StepFilter()
    filter.only = [kind, .insert, .set, .save]
    let steps = try programs(60, filter).flatMap { flat($0.steps) }
    if kind == .query {
      #expect(steps.contains { $0.kind == .fetch } && steps.contains { $0.kind == .count })
    } else {
      #expect(steps.count { StepGenerator.Kind(of: $0.kind) == kind } > 10)
    }
    let allowed = filter.only + (kind == .query ? [.fetch, .count] : [])
    let others = Set(steps.map(\.kind)).filter { other in
      !(StepGenerator.Kind(of: other).map { allowed.contains($0) } ?? false)
    }
    #expect(others.subtracting([.relate, .add]).isEmpty, "\(others)")
  }

  /// Choices that a shrinker or a fuzzer has changed give a valid program, too.
  @Test func `a generated app is valid whatever its choices`() throws {
    let models = try Repository.models() + [.generated]
    let campaign = FuzzCampaign(CampaignSettings(models: models))
    var generator = Generator(seed: 76)
    var found: Set<Step.Kind> = []
    for index in 0..<200 {
      let model = models[index % models.count]
      var choices = Choices(seed: generator.next())
      _ = campaign.run(model, &choices)
      var recording = choices.recording
      for stream in [Choices.Stream.shape, .workload] {
        for _ in 0..<4 where !recording[stream].isEmpty {
          let position = generator.next(below: recording[stream].count)
          switch generator.next(below: 3) {
          case 0: recording[stream].remove(at: position)
          case 1: recording[stream][position] = 0
          default: recording[stream][position] = UInt32(generator.next(below: 256))
          }
        }
      }
      var edited = Choices(replaying: recording)
      let outcome = campaign.run(model, &edited)
      #expect(outcome.disagreement == nil)
      let program = outcome.program
      found.formUnion(program.steps.kinds)
      let scenario = Scenario(
        program, name: "edited", source: "chance", profile: .current,
        quirks: Profile.current.quirks)
      let text = ScenarioText.print(scenario)
      let read = try ScenarioText.parse(text) { .failure(UnreadableModel(message: $0)) }
      #expect(ScenarioText.print(read) == text)
      #expect(read.stack == scenario.stack)
      let configuration = RunConfiguration(
        model: program.model, quirks: Profile.current.quirks)
      #expect(ProgramRunner(configuration).run(program).digest == outcome.digest)
    }
    for kind in Self.parts.compactMap(\.stepKind) { #expect(found.contains(kind), "\(kind)") }
  }

  /// A program does what its design does only if it is asked to.
  @Test(arguments: [
    ("private-root-main-workers", [StepGenerator.Kind.when], [Step.Kind.when, .unless]),
    ("private-root-main-workers", [.forEach], [.forEach]),
    ("synckit-adapter", [.raise], [.raise]),
    ("wire-delayed-saves", [.enter], [.enter, .leave]),
    ("changes-pushed-by-ID", [.remember], [.remember]),
  ])
  func `a program on a designed stack has these parts only if asked for`(
    stack: String, asked: [StepGenerator.Kind], parts: [Step.Kind]
  ) throws {
    let path = "\(Repository.root)/Fixtures/Stacks/\(stack).stack"
    var settings = CampaignSettings(models: try Repository.models())
    settings.stack = try StackFile.read(path: path).stack
    func kinds(_ settings: CampaignSettings) -> Set<Step.Kind> {
      let campaign = FuzzCampaign(settings)
      return (0..<60).reduce(into: []) { kinds, index in
        var choices = Choices(seed: Generator.derive(77, UInt64(index)))
        let model = settings.models[index % settings.models.count]
        kinds.formUnion(campaign.run(model, &choices).program.steps.kinds)
      }
    }
    #expect(kinds(settings).isDisjoint(with: parts))
    settings.withSteps = asked
    #expect(kinds(settings).isSuperset(of: parts))
  }

  /// A loop does not hold objects of the context's own sets (FL-15). An object that it deletes
  /// leaves the context with the object's last name, as any other deleted object does.
  @Test(arguments: [
    ["view  save", "view  forEach registered delete", "view  release note1", "view  rollback"],
    [
      "edit  fetch Note", "view  forEach inserted delete", "edit  get note1.title", "view  save",
      "edit  save",
    ],
    [
      "view  save", "view  set note1.title \"s1\"", "view  forEach updated delete", "view  save",
      "view  object view.note1", "view  release note1",
    ],
  ]) func `a loop does not hold objects that its own context deletes`(steps: [String]) throws {
    let text = smallScenario(
      steps: (["view  insert Note as note1"] + steps).map { "  " + $0 }.joined(separator: "\n"))
    let scenario = try ScenarioText.parse(text) { .failure(UnreadableModel(message: $0)) }
    let configuration = RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
    #expect(ProgramRunner(configuration).run(Program(scenario)).disagreement == nil)
  }
}
