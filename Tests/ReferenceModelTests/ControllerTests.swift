import ObjectModel
import ReferenceModel
import Testing
import Vocabulary

@Suite struct `A fetched-results controller` {
  static let list = ControllerID(0)

  /// Returns a world with a list of owners by age, then name, in context `context`.
  static func world(
    _ parents: [Int?] = [nil], in context: Int = 0, isSectioned: Bool = false,
    hookActions: [HookAction] = [],
    change: (inout FetchRequest) -> Void = { _ in }
  ) -> World {
    var request = FetchRequest(entity: EntityID(0))
    request.sortDescriptors = [
      FetchRequest.SortDescriptor(property: PropertyID(1), ascending: true),
      FetchRequest.SortDescriptor(property: PropertyID(0), ascending: true),
    ]
    change(&request)
    return World(
      parents: parents, hookActions: hookActions,
      controllers: [
        Stack.ResultsController(
          name: "list", context: ContextID(context), request: request,
          sectionProperty: isSectioned ? PropertyID(1) : nil)
      ])
  }

  func olderThan(_ age: Int64, _ request: inout FetchRequest) {
    request.predicate = [
      Comparison(property: PropertyID(1), relation: .greater, operand: .value(.integer(age)))
    ]
  }

  func section(_ name: Int64?, _ objects: ObjectID...) -> ResultsSection {
    ResultsSection(name: name.map { .integer($0) } ?? .null, objects: objects)
  }

  func at(_ section: Int, _ item: Int) -> IndexPath {
    IndexPath(section: section, item: item)
  }

  func insert(_ name: ObjectName, age: Int, in c: Int = 0, _ world: inout World) {
    world.perform(c, .insert(world.owner, as: name))
    world.set(c, name, world.age, age)
  }

  func fill(_ world: inout World, in c: Int = 0) -> [ResultsSection]? {
    guard case .sections(_, let sections) = world.perform(c, .performFetch(Self.list)).last else {
      return nil
    }
    return sections
  }

  /// Returns the changes that the list reports when context `c` processes its pending changes.
  func changes(_ world: inout World, in c: Int = 0) -> [ResultsChange]? {
    world.perform(c, .processPendingChanges).changes
  }

  @Test func `a controller without sections shows one section, even an empty one`() {
    var world = Self.world()
    #expect(fill(&world) == [section(nil)])
    insert(world.ann, age: 40, &world)
    insert(world.bob, age: 30, &world)
    #expect(
      fill(&world) == [
        section(nil, world.temporary(world.owner, 2), world.temporary(world.owner, 1))
      ])
  }

  @Test func `a controller makes a section of each value of its first descriptor`() {
    var world = Self.world(isSectioned: true)
    insert(world.ann, age: 40, &world)
    insert(world.bob, age: 30, &world)
    insert(world.cat, age: 40, &world)
    world.perform(0, .insert(world.owner, as: world.dog))
    world.save(0)
    let ids = (1...4).map { world.permanent(world.owner, $0) }
    #expect(
      fill(&world) == [section(nil, ids[3]), section(30, ids[1]), section(40, ids[0], ids[2])])
  }

  @Test func `a controller says nothing before it was filled`() {
    var world = Self.world()
    insert(world.ann, age: 40, &world)
    #expect(changes(&world) == nil)
  }

  @Test func `a controller with sections shows no empty section`() {
    var world = Self.world(isSectioned: true)
    #expect(fill(&world) == [])
    insert(world.ann, age: 40, &world)
    #expect(
      changes(&world)
        == [.insertSection(0), .insert(world.temporary(world.owner, 1), to: at(0, 0))])
  }

  @Test func `a controller binds names, and keeps what it lists`() {
    var world = Self.world()
    world.insertSaved(world.owner, world.ann)
    world.perform(0, .release(world.ann))
    #expect(world.view(0).isEmpty)
    #expect(fill(&world) == [section(nil, world.permanent(world.owner, 1))])
    world.perform(0, .release(world.ann))
    #expect(world.view(0).map(\.isFault) == [true])
  }

  @Test func `a controller notices an insertion, in the place where it sorts`() {
    var world = Self.world()
    insert(world.ann, age: 40, &world)
    insert(world.bob, age: 20, &world)
    world.save(0)
    _ = fill(&world)
    insert(world.cat, age: 30, &world)
    #expect(changes(&world) == [.insert(world.temporary(world.owner, 3), to: at(0, 1))])
  }

  @Test func `a controller reports after ObjectsDidChange`() {
    var world = Self.world()
    _ = fill(&world)
    insert(world.ann, age: 40, &world)
    let ann = world.temporary(world.owner, 1)
    var sets = ChangeSets()
    sets.inserted = [ann]
    #expect(
      world.perform(0, .processPendingChanges) == [
        .objectsDidChange(ContextID(0), sets),
        .controllerDidChangeContent(Self.list, [.insert(ann, to: at(0, 0))]),
      ])
  }

  @Test func `a controller notices a deletion, and the end of a section`() {
    var world = Self.world(isSectioned: true)
    insert(world.ann, age: 20, &world)
    insert(world.bob, age: 30, &world)
    insert(world.cat, age: 30, &world)
    world.save(0)
    _ = fill(&world)
    let ids = (1...3).map { world.permanent(world.owner, $0) }
    world.perform(0, .delete(world.bob))
    #expect(changes(&world) == [.delete(ids[1], from: at(1, 0))])
    world.perform(0, .delete(world.ann))
    #expect(changes(&world) == [.deleteSection(0), .delete(ids[0], from: at(0, 0))])
    world.perform(0, .delete(world.cat))
    #expect(changes(&world) == [.deleteSection(0), .delete(ids[2], from: at(0, 0))])
    #expect(fill(&world) == [])
  }

  @Test func `a controller moves a row to a new section, from one that goes`() {
    var world = Self.world(isSectioned: true)
    insert(world.ann, age: 20, &world)
    insert(world.bob, age: 30, &world)
    world.save(0)
    _ = fill(&world)
    world.set(0, world.ann, world.age, 40)
    #expect(
      changes(&world) == [
        .deleteSection(0), .insertSection(1),
        .move(world.permanent(world.owner, 1), from: at(0, 0), to: at(1, 0)),
      ])
  }

  @Test func `a controller updates a row that stays where it is`() {
    var world = Self.world()
    insert(world.ann, age: 20, &world)
    insert(world.bob, age: 30, &world)
    world.save(0)
    _ = fill(&world)
    let bob = world.permanent(world.owner, 2)
    world.set(0, world.bob, world.scratch, 1)
    #expect(changes(&world) == [.update(bob, at: at(0, 1))])
    world.set(0, world.bob, world.age, 25)
    #expect(changes(&world) == [.update(bob, at: at(0, 1))])
    // Another row moves this row, whose values are unchanged.
    world.set(0, world.bob, world.scratch, 2)
    world.set(0, world.ann, world.age, 50)
    #expect(
      changes(&world) == [
        .update(bob, at: at(0, 1)),
        .move(world.permanent(world.owner, 1), from: at(0, 0), to: at(0, 1)),
      ])
  }

  @Test func `a controller takes what matches now, and drops what no longer does`() {
    var world = Self.world { olderThan(25, &$0) }
    insert(world.ann, age: 20, &world)
    world.save(0)
    #expect(fill(&world) == [section(nil)])
    let ann = world.permanent(world.owner, 1)
    world.set(0, world.ann, world.age, 30)
    #expect(changes(&world) == [.insert(ann, to: at(0, 0))])
    world.set(0, world.ann, world.age, 10)
    #expect(changes(&world) == [.delete(ann, from: at(0, 0))])
    world.set(0, world.ann, world.age, 11)
    #expect(changes(&world) == nil)
  }

  @Test func `a controller ignores objects of other entities`() {
    var world = Self.world()
    _ = fill(&world)
    world.perform(0, .insert(world.pet, as: world.cat))
    #expect(changes(&world) == nil)
  }

  @Test func `a controller fires what the context reports, to see it`() {
    var world = Self.world()
    world.insertSaved(world.owner, world.ann)
    _ = fill(&world)
    let ann = world.permanent(world.owner, 1)
    world.perform(0, .refresh(world.ann, mergeChanges: false))
    #expect(world.view(0).map(\.isFault) == [true])
    let events = world.perform(0, .processPendingChanges)
    #expect(events.hooks(.awakeFromFetch, 0) == [ann])
    #expect(events.changes == [.update(ann, at: at(0, 0))])
  }

  @Test func `a controller misses the merged update of a fault (NT-18)`() {
    var world = Self.world([nil, nil]) { olderThan(25, &$0) }
    insert(world.ann, age: 20, in: 1, &world)
    world.save(1)
    world.hold(world.ann, from: 1, in: 0)
    #expect(fill(&world) == [section(nil)])
    world.set(1, world.ann, world.age, 30)
    world.save(1)
    #expect(world.merge(1, into: 0).changes == nil)
    // An object that was realised before the merge is reported.
    _ = world.get(0, world.ann, world.age)
    world.set(1, world.ann, world.age, 40)
    world.save(1)
    let ann = world.permanent(world.owner, 1)
    #expect(world.merge(2, into: 0).changes == [.insert(ann, to: at(0, 0))])
  }

  @Test func `a controller notices a merged insertion (NT-17)`() {
    var world = Self.world([nil, nil])
    _ = fill(&world)
    insert(world.ann, age: 20, in: 1, &world)
    world.save(1)
    let ann = world.permanent(world.owner, 1)
    #expect(world.merge(0, into: 0).changes == [.insert(ann, to: at(0, 0))])
    #expect(world.view(0).map(\.id) == [ann])
  }

  @Test func `a controller does not see its parent's unsaved change`() {
    var world = Self.world([nil, 0], in: 1)
    insert(world.ann, age: 20, &world)
    world.save(0)
    _ = fill(&world, in: 1)
    world.set(0, world.ann, world.age, 30)
    #expect(world.perform(0, .processPendingChanges).changes == nil)
    #expect(world.save(0).changes == nil)
  }

  @Test func `a controller notices what its child saves`() {
    var world = Self.world([nil, 0])
    _ = fill(&world)
    insert(world.ann, age: 20, in: 1, &world)
    #expect(world.perform(1, .processPendingChanges).changes == nil)
    #expect(
      world.save(1).changes
        == [.insert(world.temporary(world.owner, 1), to: at(0, 0))])
  }

}

extension [Event] {
  /// The changes of the first controller that reports any.
  var changes: [ResultsChange]? {
    for case .controllerDidChangeContent(_, let changes) in self { return changes }
    return nil
  }
}
