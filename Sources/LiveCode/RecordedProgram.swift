package import Execution
package import Failures
import Invariants
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// The steps of a run of code as a program: one after the other on the program's thread, with a
/// schedule for automatic merges. It is replayed, shrunk and printed without the code.
///
/// Each step stands where its action took effect. What a program cannot say is left out: which
/// block asked, what overridden hooks did, and that code waits. So whether the program fails like
/// the run is asked, not assumed.
package struct RecordedProgram {
  package let program: Program
  /// How it fails.
  package let failures: [FailureSignature]
  /// Whether all that could be observed in the run happens in the program, in the same order.
  package let isExact: Bool

  /// Nil if the run was not recorded.
  package init?(_ run: LiveRun, _ configuration: RunConfiguration) {
    guard let recording = run.recording, let trace = run.trace else { return nil }
    var builder = Builder(run, recording, trace, configuration)
    builder.build()
    isExact = !recording.hasHooks && builder.guided.events == recording.events
    var program = builder.program
    let runner = ProgramRunner(configuration)
    var outcome = runner.run(program)
    // Without choices it reads better.
    program.isInterleaved = false
    program.schedule = []
    let inOrder = runner.run(program)
    if inOrder.digest == outcome.digest { outcome = inOrder }
    self.program = outcome.program
    failures = outcome.failures
  }

  private struct Builder {
    let entries: [Recording.Entry]
    /// By number of a DidSave or batch result.
    let sources: [MergeSource]
    /// The object that each name of the run stands for.
    let objects: [ObjectName]
    var guided: GuidedRun
    private var mapping = StepMapping()
    /// Whether the action that comes next is one without the context's queue.
    private var isWrongQueue = false
    /// An instance that code has got hold of, until it is known how.
    private var pending: HeldInstance?
    /// By object: the last entry in which code gets hold of an instance of it.
    private var lastHold: [Int]
    private var position = 0
    /// A context of each coordinator that has an instance of what code knows by its ID alone.
    private let idContexts: Range<Int>

    init(
      _ run: LiveRun, _ recording: Recording, _ trace: Trace, _ configuration: RunConfiguration
    ) {
      // Stores that are added and not removed are a part of the stack.
      let removesStores = recording.steps.contains { $0.removesStore }
      var stack = removesStores ? run.stack : run.stack.withStores(addedBy: recording.steps)
      entries = removesStores ? recording.entries : recording.entries.filter { !$0.addsStore }
      sources = recording.sources
      let (objects, names) = trace.objects(in: run)
      self.objects = objects
      mapping.name = { objects[$0.index] }
      lastHold = Array(repeating: -1, count: names.count)
      for case (let index, .held(let instance)) in entries.enumerated() {
        lastHold[objects[instance.name.index].index] = index
      }
      for (index, coordinator) in stack.coordinators.enumerated() {
        stack.contexts.append(
          Stack.Context(
            name: "idsOf" + coordinator.name.prefix(1).uppercased() + coordinator.name.dropFirst(),
            concurrencyType: .privateQueue, parent: .coordinator(CoordinatorID(index))))
      }
      idContexts = run.stack.contexts.count..<stack.contexts.count
      guided = GuidedRun(
        Program(model: run.model, stack: stack, names: names, steps: []), configuration)
    }

    /// The program, without contexts for IDs if it needs none.
    var program: Program {
      var program = guided.program
      let isUsed = program.steps.contains { idContexts.contains($0.context.index) }
      if !isUsed { program.stack.contexts.removeLast(idContexts.count) }
      return program
    }

    mutating func build() {
      for (index, entry) in entries.enumerated() where !guided.isOver {
        position = index
        switch entry {
        case .held(let instance):
          hold()
          pending = HeldInstance(instance.context, objects[instance.name.index])
        case .wrongQueue: isWrongQueue = true
        case .action(let action, let isAutomatic): note(action, isAutomatic: isAutomatic)
        }
      }
      guided.finish()
    }

    private mutating func note(_ action: Action, isAutomatic: Bool) {
      switch action {
      case .merge(let context, let number):
        if isAutomatic { return guided.merge(into: context) }
        perform(AddressedStep(context, .mergeChanges(sources[number])))
      case .mergeRemote(let context, let number):
        perform(AddressedStep(context, .mergeRemoteChanges(sources[number])))
      case .endOfEvent(let context):
        perform(AddressedStep(context, .processPendingChanges))
      case .endOfDelivery, .wrongQueue: break
      case .step(let step, _): perform(mapping(step))
      }
    }

    private mutating func perform(_ step: AddressedStep) {
      var step = step
      var isSilent = false
      switch step.step {
      case .existingObject(_, as: let name) where pending == HeldInstance(step.context, name):
        if let holder = holders(of: name).first(where: { $0 != step.context }) {
          pending = nil
          step.step = .existingObject(with: HeldInstance(holder, name), as: name)
        }
      case .release(let name):
        isSilent = true
        keepIDs(of: [name], goneFrom: step.context)
      case .discard:
        isSilent = true
        keepIDs(of: guided.program.names.indices.map { ObjectName($0) }, goneFrom: step.context)
      default: break
      }
      hold()
      if isWrongQueue {
        isWrongQueue = false
        step = AddressedStep(step.context, .directly([step]))
      }
      guided.perform(step, isSilent: isSilent)
    }

    /// Code that gets hold of an object later knows it by its ID.
    private mutating func keepIDs(of names: [ObjectName], goneFrom context: ContextID) {
      for name in names
      where holders(of: name) == [context] && lastHold[name.index] > position {
        let coordinator = guided.program.stack.coordinator(of: context)
        let keeper = ContextID(idContexts.lowerBound + coordinator.index)
        guided.perform(
          AddressedStep(keeper, .object(with: HeldInstance(context, name), as: name)),
          isSilent: true)
      }
    }

    private func holders(of name: ObjectName) -> [ContextID] {
      guided.program.stack.contextIDs.filter { guided.world.heldID($0, name) != nil }
    }

    /// Gets hold of the pending instance by that of another context.
    private mutating func hold() {
      guard let instance = pending else { return }
      pending = nil
      let holders = holders(of: instance.name)
      guard !holders.contains(instance.context), let holder = holders.first else { return }
      guided.perform(
        AddressedStep(
          instance.context,
          .object(with: HeldInstance(holder, instance.name), as: instance.name)), isSilent: true)
    }
  }
}

extension Stack {
  /// The stack with the stores that code has added.
  fileprivate func withStores(addedBy steps: [AddressedStep]) -> Stack {
    var stack = self
    for step in steps {
      guard case .addStore(let store) = step.step else { continue }
      stack.coordinators[coordinator(of: step.context).index].stores.append(store)
    }
    return stack
  }
}
