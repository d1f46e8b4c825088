import Determinism
import Execution
import ObjectModel
import Scenario
import SimulatedCoreData
import Testing
import Vocabulary

/// Engine, reference model, comparisons and invariants on many objects.
@Suite struct `A run with many objects` {
  /// A debug build checks the invariants of engine and reference model after each action.
  private static var count: Int {
    #if DEBUG
      300
    #else
      100_000
    #endif
  }

  private let note = EntityID(0)
  private let title = PropertyID(0)
  private var run: DifferentialRun

  init() throws {
    let text = """
      scenario  large
      evidence  inferred

      model
        Note
          title  integer?
          folder  Folder? inverse notes
        Folder
          notes  Note* inverse folder

      stack
        store  main
        view  privateQueue coordinator store
        edit  privateQueue parent view

      """
    let scenario = try ScenarioText.parse(
      text, model: { .failure(UnreadableModel(message: $0)) })
    run = DifferentialRun(
      model: scenario.model, stack: scenario.stack, quirks: Profile.current.quirks)
  }

  private mutating func perform(_ step: Step, in context: Int = 0) {
    // All choices take their defaults.
    var choices = Choices(replaying: Choices.Recording())
    run.run(AddressedStep(ContextID(context), step), &choices)
  }

  private mutating func insertAndSave() {
    for name in 0..<Self.count { perform(.insert(note, as: ObjectName(name))) }
    perform(.save)
    #expect(run.world.graph.rowCount(of: StoreID(0)) == Self.count)
  }

  private mutating func expectAgreement() {
    #expect(!run.isOver)
    var choices = Choices(replaying: Choices.Recording())
    run.finish(&choices)
    #expect(run.disagreement == nil)
  }

  /// The test would take hours if either side looked at all registered objects for a save, or to
  /// give an object its permanent ID or a name.
  @Test mutating func `a run with many objects saves its changes`() {
    insertAndSave()
    let changeCount = max(60, Self.count / 200)
    for number in 0..<changeCount {
      let name = ObjectName(number * 7 % Self.count)
      switch number % 50 {
      case 3:
        perform(.delete(name))
        perform(.insert(note, as: name))
      case 5:
        perform(.set(name, title, .integer(0)))
        perform(.rollback)
      default: perform(.set(name, title, .integer(Int64(number))))
      }
      perform(.save)
      #expect(run.disagreement == nil, "change \(number)")
    }
    expectAgreement()
  }

  /// All objects are changed. The end of the event after each change looks only at the changed
  /// object.
  @Test mutating func `an event ends beside many changes`() {
    for name in 0..<Self.count / 10 {
      perform(.insert(note, as: ObjectName(name)))
      perform(.processPendingChanges)
    }
    perform(.save)
    expectAgreement()
  }

  /// A child's changes pass through its parent, in which all objects are registered.
  @Test mutating func `a run with many objects saves the changes of a child`() {
    insertAndSave()
    for number in 0..<Self.count / 400 {
      let name = ObjectName(Self.count + number)
      perform(.insert(note, as: name), in: 1)
      perform(.save, in: 1)
      perform(.save)
    }
    expectAgreement()
  }
}
