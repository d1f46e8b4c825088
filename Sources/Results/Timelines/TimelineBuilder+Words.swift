import Execution
import Invariants
import ObjectModel
import Scenario
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Texts for the actions and changes of a moment.
extension TimelineBuilder {
  // MARK: What is where

  /// Returns the changes in contexts and stores. Keeps those in row caches for the next moment,
  /// because a change of a row cache alone is no reason for a moment.
  mutating func changes(_ turn: Recorder.Turn) -> [Timeline.Change] {
    var changes: [Timeline.Change] = []
    for (place, sights) in turn.sights {
      guard let index = places.firstIndex(of: place) else { continue }
      if case .rowCache = place {
        newCaches.removeAll { $0.place == index }
        newCaches.append((index, sights))
      } else {
        changes += self.changes(at: index, to: sights)
      }
    }
    return changes
  }

  /// Adds the kept changes of row caches to the last moment.
  mutating func addCacheChanges(to moment: Int) {
    for (place, sights) in newCaches {
      let changes = changes(at: place, to: sights)
      timeline.moments[moment].changes += changes
    }
    newCaches = []
  }

  private mutating func changes(at place: Int, to sights: [Recorder.Sight]) -> [Timeline.Change] {
    var changes: [Timeline.Change] = []
    var now: [(object: Int, look: Timeline.Look)] = []
    for sight in sights { now.append((object(sight.view.id), look(sight))) }
    for (object, look) in now
    where !looks[place].contains(where: { $0.object == object && $0.look == look }) {
      let before = looks[place].first { $0.object == object }?.look
      changes.append(.init(place: place, object: object, before: before, look: look))
    }
    for (object, before) in looks[place] where !now.contains(where: { $0.object == object }) {
      changes.append(.init(place: place, object: object, before: before, look: nil))
    }
    looks[place] = now
    return changes
  }

  mutating func object(_ id: ObjectID) -> Int {
    let lifelong = world.lifelongID(id)
    if let index = objects.firstIndex(of: lifelong) { return index }
    objects.append(lifelong)
    timeline.objects.append(events.name(id))
    return objects.count - 1
  }

  func look(_ sight: Recorder.Sight) -> Timeline.Look {
    let view = sight.view
    let state =
      view.isFault
      ? "fault"
      : view.isDeleted
        ? "deleted" : view.isInserted ? "inserted" : view.isUpdated ? "updated" : ""
    return .init(
      state: state, version: sight.version, attributes: view.isFault ? [] : attributes(of: sight))
  }

  /// Returns the properties of an object. Empty if the object shows neither values nor collections.
  private func attributes(of sight: Recorder.Sight) -> [Timeline.Attribute] {
    let view = sight.view
    if view.values.isEmpty, view.collections.isEmpty { return [] }
    let properties = outcome.program.model[view.id.entity].properties
    return properties.indices.map { index in
      let property = properties[index]
      let members = property.isToMany ? view.collections[property.slot] : []
      return .init(
        name: property.name,
        value: property.isToMany
          ? "[\(members.map(events.name).joined(separator: " "))]"
          : events.text(view.values[property.slot], of: property),
        isUnsaved: sight.unsaved.contains(PropertyID(index)))
    }
  }

  // MARK: Words

  func text(_ action: Action, _ turn: Recorder.Turn) -> String {
    if case .wrongQueue = action, let step = begun[turn.lane.index]?.step {
      return withoutLane(steps.text(step)) + ", outside its queue"
    }
    guard !turn.hasFailed, case .step(let step, let phase) = action else { return text(action) }
    let line = withoutLane(steps.text(step))
    switch phase {
    case .whole, .commit: return line
    case .flush, .willSave: return line + " begins"
    case .finish: return line + " ends"
    }
  }

  func text(_ action: Action) -> String {
    switch action {
    case .step(let step, _): return withoutLane(steps.text(step))
    case .merge(_, let number): return "merges \(save(number))"
    case .mergeRemote(_, let number): return "merges \(save(number)) as changes of another process"
    case .endOfEvent: return "end of the event"
    case .endOfDelivery: return "end of the notification"
    case .wrongQueue: return "used outside its queue"
    }
  }

  func save(_ number: Int) -> String {
    "a save of \(world.stack[world.graph.poster(of: number)].name)"
  }

  func text(_ subject: World.Activity.Subject) -> String {
    switch subject {
    case .step(let step), .action(.step(let step, _)): "'\(steps.text(step))'"
    case .action(let action): "\(world.stack[action.context].name): \(text(action))"
    }
  }

  /// Returns a line with single spaces, such as `work perform` for `work  perform`.
  func plain(_ line: String) -> String {
    line.split(separator: " ").joined(separator: " ")
  }

  /// Returns a line without its lane, such as `save` for `view  save`.
  func withoutLane(_ line: String) -> String {
    guard let space = line.firstIndex(of: " ") else { return line }
    return String(line[space...].drop { $0 == " " })
  }

  /// Returns the answer in a line, such as `"a"` for `view  read "a"`. The arrow before the answer
  /// makes the verb unnecessary.
  func answer(_ line: String) -> String {
    let text = withoutLane(line)
    for word in ["read ", "object ", "found ", "counted "] where text.hasPrefix(word) {
      return String(text.dropFirst(word.count))
    }
    return text
  }

  func origin(_ origin: World.Origin) -> Timeline.Origin {
    switch origin {
    case .program: .program
    case .observer: .observer
    case .automaticMerge: .automaticMerge
    }
  }
}

extension Recorder.Turn {
  var hasFailed: Bool {
    events.contains(where: \.isFailure)
  }
}

extension Action {
  /// A Boolean value that indicates whether the action only ends an event or a delivery. Such an
  /// action is shown only if it has an effect.
  var isEndOfSomething: Bool {
    switch self {
    case .endOfEvent, .endOfDelivery: true
    case .step, .merge, .mergeRemote, .wrongQueue: false
    }
  }

  /// A Boolean value that indicates whether the action has a step number. A save has its number
  /// when it commits.
  var isNumbered: Bool {
    switch self {
    case .endOfEvent, .endOfDelivery: false
    case .step(_, let phase): phase == .whole || phase == .commit
    case .merge, .mergeRemote, .wrongQueue: true
    }
  }
}
