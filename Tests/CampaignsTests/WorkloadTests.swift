import CampaignSupport
import Campaigns
import Determinism
import Execution
import Failures
import Generation
import InputFiles
import Invariants
import ObjectModel
import Scenario
import ScenarioChecking
import TestSupport
import Testing
import Vocabulary

@Suite struct `Generated stacks` {
  private func stacks(_ count: Int, _ limits: StackLimits = StackLimits()) -> [(ObjectModel, Stack)]
  {
    (0..<count).map { index in
      var choices = Choices(seed: Generator.derive(60, UInt64(index)))
      let model = ModelGenerator().model(&choices)
      return (model, StackGenerator(model: model, limits: limits).stack(&choices))
    }
  }

  @Test func `generated stacks begin with one private root on one store`() throws {
    var choices = Choices(replaying: Choices.Recording())
    let model = ObjectModel(entities: [Entity(name: "Note")])
    let stack = StackGenerator(model: model, limits: StackLimits()).stack(&choices)
    var expected = Stack()
    expected.stores = [Stack.Store(name: "main")]
    expected.coordinators = [Stack.Coordinator(name: "store", stores: [StoreID(0)])]
    expected.contexts = [
      Stack.Context(
        name: "work0", concurrencyType: .privateQueue, parent: .coordinator(CoordinatorID(0)))
    ]
    #expect(stack == expected)
  }

  @Test func `generated stacks have a store for everything, and share files only`() {
    for (model, stack) in stacks(500) {
      for (index, coordinator) in stack.coordinators.enumerated() {
        for entity in model.concreteEntities {
          #expect(stack.store(for: entity, under: CoordinatorID(index)) != nil)
        }
        for store in coordinator.stores where stack.stores[store.index].isInMemory {
          #expect(stack.coordinators.count { $0.stores.contains(store) } == 1)
        }
      }
      #expect(Set(stack.contexts.map(\.name)).count == stack.contexts.count)
    }
  }

  @Test func `generated stacks have no second coordinator where there is one root`() {
    var limits = StackLimits()
    limits.rootCount = 1
    for (_, stack) in stacks(300, limits) {
      #expect(stack.coordinators.count == 1)
      #expect(stack.contextIDs.count { stack.parent(of: $0) == nil } == 1)
    }
  }

  @Test func `generated stacks have every setting sooner or later`() {
    var found: Set<String> = []
    for (_, stack) in stacks(500) { found.formUnion(settings(of: stack)) }
    let expected =
      [
        "undoManager", "zeroStaleness", "keepsInaccessibleFaults", "retains", "propagatesAtSave",
        "autoMerge", "two main contexts", "in memory", "entities", "shared store", "two stores",
        "spare store", "waiting observer", "merging observer", "refreshing observer",
        "saving observer", "flags", "groups", "ids", "looping observer", "condition in observer",
        "remembering observer", "loop", "flag in entry", "group in entry", "two entries",
        "list by tree",
      ] + MergePolicy.allCases.map(\.rawValue) + Stack.NotificationName.allCases.map(\.rawValue)
    for setting in expected { #expect(found.contains(setting), "\(setting)") }
  }

  private func settings(of stack: Stack) -> [String] {
    var found: [String] = []
    func note(_ setting: String, if condition: Bool) { if condition { found.append(setting) } }
    for context in stack.contexts {
      found.append(context.mergePolicy.rawValue)
      note("undoManager", if: context.hasUndoManager)
      note("zeroStaleness", if: context.hasZeroStaleness)
      note("keepsInaccessibleFaults", if: !context.shouldDeleteInaccessibleFaults)
      note("retains", if: context.retainsRegisteredObjects)
      note("propagatesAtSave", if: !context.propagatesDeletesAtEndOfEvent)
      note("autoMerge", if: context.automaticallyMergesChangesFromParent)
    }
    note("two main contexts", if: stack.contexts.count { $0.concurrencyType == .mainQueue } > 1)
    note("in memory", if: stack.stores.contains(where: \.isInMemory))
    note("entities", if: stack.stores.contains { $0.entities != nil })
    note("two stores", if: stack.coordinators[0].stores.count > 1)
    let attached = stack.coordinators.flatMap(\.stores)
    note("shared store", if: Set(attached).count < attached.count)
    note("spare store", if: Set(attached).count < stack.stores.count)
    note("flags", if: !stack.flags.isEmpty)
    note("groups", if: !stack.groups.isEmpty)
    note("ids", if: !stack.idSets.isEmpty)
    note("two entries", if: stack.entryPoints.count > 1)
    note("list by tree", if: stack.controllers.contains { $0.request.tree != nil })
    let reactions = stack.observers.flatMap(\.steps).kinds
    note("looping observer", if: reactions.contains(.forEach))
    note("condition in observer", if: !reactions.isDisjoint(with: [.when, .unless]))
    note("remembering observer", if: reactions.contains(.remember))
    let calls = stack.entryPoints.flatMap(\.steps).kinds
    note("loop", if: calls.contains(.forEach))
    note("flag in entry", if: calls.isSuperset(of: [.raise, .lower]))
    note("group in entry", if: calls.isSuperset(of: [.enter, .leave]))
    for observer in stack.observers {
      found.append(observer.notification.rawValue)
      for step in observer.steps {
        note("waiting observer", if: step.step.block == nil && step.context != observer.context)
        for step in step.step.block ?? [step] {
          note("merging observer", if: step.step == .mergeChanges(.delivered))
          note("refreshing observer", if: step.step == .refreshAllObjects)
          note("saving observer", if: step.step == .save)
        }
      }
    }
    return found
  }
}

@Suite struct `Workloads` {
  private func steps(_ workload: Workload) throws -> [Step] {
    let name = workload == .rearrangeList ? "Publication.model" : "Library.xcdatamodeld"
    let model = try ModelFile.read(path: Repository.root + "/Fixtures/Models/\(name)")
    var configuration = RunConfiguration(model: model, quirks: Profile.current.quirks)
    configuration.workloads = [workload]
    var steps: [Step] = []
    for index in 0..<40 {
      var choices = Choices(seed: Generator.derive(90, UInt64(index)))
      steps += ProgramRunner(configuration).run(&choices).program.steps.map(\.step)
    }
    return steps
  }

  /// The steps of a workload are frequent in programs about it, and rare in programs about another.
  @Test(arguments: [
    (Workload.importObjects, Workload.editForm), (.syncDeletions, .editForm),
    (.countFromTwoPlaces, .showList), (.insertRelated, .showList), (.cancelHalfway, .importObjects),
    (.editForm, .importObjects), (.showList, .cancelHalfway), (.rearrangeList, .editForm),
    (.moveObjects, .insertRelated), (.pageList, .editForm),
  ]) func `programs are about their workload`(workload: Workload, other: Workload) throws {
    let wanted = try steps(workload).count { shows(workload, $0) }
    let rest = try steps(other).count { shows(workload, $0) }
    #expect(2 * wanted > 3 * rest + 40, "\(wanted) against \(rest)")
  }

  /// An owner that others still need could not be deleted and saved.
  @Test(arguments: [
    (member: "Folder?", rule: "", isDeleted: true), ("Folder", "", false),
    ("Folder", " cascade", true), ("Folder?", " deny", false),
  ])
  func `programs delete owners whose members can be saved without them`(
    member: String, rule: String, isDeleted: Bool
  ) throws {
    let model = try ModelText.parse(
      "Folder\n  name  string?\n  notes  Note* inverse folder\(rule)\n"
        + "Note\n  title  string?\n  folder  \(member) inverse notes\n")
    var configuration = RunConfiguration(model: model, quirks: Profile.current.quirks)
    configuration.workloads = [.moveObjects]
    var deletedCount = 0
    var movedCount = 0
    for index in 0..<60 {
      var choices = Choices(seed: Generator.derive(91, UInt64(index)))
      for step in ProgramRunner(configuration).run(&choices).program.steps.map(\.step) {
        let verbs = (step.block ?? []).map(\.step.verb)
        guard verbs.first == "object", verbs.last == "save", verbs.contains("relate") else {
          continue
        }
        movedCount += 1
        if verbs.suffix(3) == ["object", "delete", "save"] { deletedCount += 1 }
      }
    }
    #expect(movedCount > 20 && (deletedCount > 0) == isDeleted, "\(deletedCount) of \(movedCount)")
  }

  private func shows(_ workload: Workload, _ step: Step) -> Bool {
    let verbs = (step.block ?? []).map(\.step.verb)
    return switch workload {
    case .importObjects: verbs.contains("fetch") && verbs.contains("insert")
    case .editForm: verbs == ["get", "set", "save"] || verbs == ["save"]
    case .rearrangeList: step.verb == "replace"
    case .showList: step.verb == "fetch" || step.verb == "performFetch"
    case .syncDeletions: verbs.starts(with: ["existingObject", "delete", "save"])
    case .countFromTwoPlaces: verbs == ["object", "increment", "save"]
    case .moveObjects:
      verbs.contains("relate") && verbs.first == "object" && verbs.last == "save"
    case .pageList:
      if case .fetch(let page, as: _) = step {
        page.fetchLimit > 0 && page.fetchOffset == page.fetchLimit
          && page.sortDescriptors.count == 1
      } else {
        false
      }
    case .insertRelated: verbs.starts(with: ["insert"]) && verbs.last == "save"
    case .cancelHalfway:
      ["rollback", "reset", "discard"].contains(verbs.last) && step.verb == "perform"
    }
  }
}

@Suite struct `Generated programs` {
  private func programs(_ count: Int) throws -> [Program] {
    let models = try Repository.models() + [.generated]
    let campaign = FuzzCampaign(CampaignSettings(models: models))
    return (0..<count).map { index in
      var choices = Choices(seed: Generator.derive(70, UInt64(index)))
      return campaign.run(models[index % models.count], &choices).program
    }
  }

  private func flat(_ steps: [AddressedStep]) -> [Step] {
    steps.flatMap { [$0.step] + flat($0.step.block ?? []) }
  }

  @Test func `generated programs have every kind of step sooner or later`() throws {
    let verbs = Set(try programs(300).flatMap { flat($0.steps) }.map(\.verb))
    let fragments =
      [.writeConflict, .waitForWork, .repeatedRead, .query, .illegal]
      + Workload.allCases.map(\.kind)
    for kind in StepGenerator.Kind.allCases where !fragments.contains(kind) && !kind.isOnDemand {
      #expect(verbs.contains("\(kind)"), "\(kind)")
    }
    // A relationship step is one of four, and some steps come with the step that begins a pair.
    let others = [
      "add", "remove", "replace", "unless", "lower", "leave", "wait", "notify", "forget",
    ]
    for verb in others { #expect(verbs.contains(verb), "\(verb)") }
  }

  /// A Swift scalar has no nil, so an app cannot write it.
  @Test func `programs on a design set a required text to nil, but no required scalar`() throws {
    let model = try ModelText.parse("Note\n  title  string = \"new\"\n  views  integer = 0\n")
    let stack = "stack  app\n\n  store  main\n  view  mainQueue coordinator store\n"
    var settings = CampaignSettings(models: [.file(path: "Note.model", model)])
    settings.stack = try StackDesignText.parse(stack) { _ in .success(model) }.stack
    let campaign = FuzzCampaign(settings)
    var cleared: Set<PropertyID> = []
    for index in 0..<200 {
      var choices = Choices(seed: Generator.derive(71, UInt64(index)))
      for step in flat(campaign.run(settings.models[0], &choices).program.steps) {
        switch step {
        case .set(_, let property, .null), .setPrimitive(_, let property, .null):
          cleared.insert(property)
        default: break
        }
      }
    }
    #expect(cleared == [PropertyID(0)])
  }

  /// Amounts of one scale would be added up without conversion to a common scale.
  @Test func `generated programs write decimals of several scales`() throws {
    var exponents: Set<Int8> = []
    for program in try programs(200) {
      for step in program.steps {
        guard case .set(_, _, .decimal(_, let exponent)) = step.step else { continue }
        exponents.insert(exponent)
      }
    }
    #expect(exponents == [0, -1])
  }

  @Test func `generated programs ask in every way`() throws {
    var requests: [FetchRequest] = []
    var sources: [MergeSource] = []
    for step in try programs(300).flatMap({ flat($0.steps) }) {
      switch step {
      case .fetch(let request, as: _), .count(let request): requests.append(request)
      case .mergeChanges(let source), .mergeRemoteChanges(let source): sources.append(source)
      default: break
      }
    }
    for type in FetchRequest.ResultType.allCases {
      #expect(requests.contains { $0.resultType == type }, "\(type)")
    }
    for relation in Comparison.Relation.allCases {
      #expect(requests.contains { $0.predicate.contains { $0.relation == relation } })
    }
    #expect(requests.contains { $0.predicate.count == 2 })
    #expect(requests.contains { $0.sortDescriptors.count == 2 })
    #expect(requests.contains { !$0.includesSubentities })
    #expect(requests.contains { $0.affectedStores != nil })
    #expect(requests.contains { $0.shouldRefreshRefetchedObjects })
    #expect(requests.contains { !$0.propertiesToFetch.isEmpty })
    #expect(
      sources.contains {
        if case .batch = $0 { true } else { false }
      })
  }

  @Test func `generated programs are printed as scenarios that read the same`() throws {
    for program in try programs(120) {
      let scenario = Scenario(
        program, name: "generated", source: "chance", profile: .current,
        quirks: Profile.current.quirks)
      let text = ScenarioText.print(scenario)
      let parsed = try ScenarioText.parse(text) { path in
        .failure(UnreadableModel(message: path))
      }
      #expect(ScenarioText.print(parsed) == text)
      #expect(parsed.stack == scenario.stack)
      #expect(parsed.items.count == scenario.items.count)
      // Names are numbered in the order of writing. Apart from names, the steps are the same.
      #expect(
        flat(parsed.items.map(\.step)).map(\.verb) == flat(scenario.items.map(\.step)).map(\.verb))
    }
  }

  /// Each kind of failure can occur as a step of the program's thread, and in a block.
  @Test func `generated programs fail in every way, on their thread and in blocks`() throws {
    let verbs = [
      "refuseWrite", "suspend", "removeStore", "reset", "discard", "kill", "executeSaveRequest",
      "directly",
    ]
    var (missing, missingInBlocks) = (verbs + ["resume"], verbs)
    func visit(_ step: AddressedStep, isInBlock: Bool) {
      if isInBlock {
        missingInBlocks.removeAll { $0 == step.step.verb }
      } else {
        missing.removeAll { $0 == step.step.verb }
      }
      for inner in step.step.block ?? [] { visit(inner, isInBlock: true) }
    }
    let models = try Repository.models() + [.generated]
    let campaign = FuzzCampaign(CampaignSettings(models: models))
    for index in 0..<2_000 where !(missing + missingInBlocks).isEmpty {
      var choices = Choices(seed: Generator.derive(70, UInt64(index)))
      let program = campaign.run(models[index % models.count], &choices).program
      for step in program.steps { visit(step, isInBlock: false) }
    }
    #expect(missing == [])
    #expect(missingInBlocks == [])
  }

  /// Otherwise nothing waits for these queues at the end, because only the program's thread waits.
  @Test func `generated programs resume at their end what is suspended`() throws {
    let models = try Repository.models() + [.generated]
    let campaign = FuzzCampaign(CampaignSettings(models: models))
    var suspending = 0
    for index in 0..<300 {
      var choices = Choices(seed: Generator.derive(71, UInt64(index)))
      let outcome = campaign.run(models[index % models.count], &choices)
      #expect(!outcome.violations.contains { $0.invariant == .EveryBlockRuns })
      if outcome.program.steps.contains(where: { $0.step.verb == "suspend" }) { suspending += 1 }
    }
    #expect(suspending > 10)
  }

  /// Without its store a program has little left to do.
  @Test func `generated programs mostly give back a store that they take`() throws {
    var (removed, returned) = (0, 0)
    for program in try programs(400) {
      for (index, step) in program.steps.enumerated() {
        guard case .removeStore(let store) = step.step else { continue }
        // Near its end a program may have no step left to give the store back.
        guard index + 20 < program.steps.count else { continue }
        removed += 1
        let next = program.steps[(index + 1)...].prefix(20)
        if next.contains(where: { $0.step == .addStore(store) }) { returned += 1 }
      }
    }
    #expect(removed > 10)
    #expect(returned * 4 > removed * 3, "\(returned) of \(removed)")
  }
}
