import Prose

/// The state of every context, store and row cache after each moment as text, for readers without
/// scripts. Long runs list only the places or objects that a moment changes.
struct StateList {
  /// The objects that a moment lists.
  private enum Extent {
    case all, changedPlaces, changedObjects
  }

  private let timeline: Timeline
  /// The maximum number of characters.
  private static let limit = 60_000

  init(_ timeline: Timeline) { self.timeline = timeline }

  var html: String {
    if timeline.moments.isEmpty { return "" }
    let count = timeline.moments.count
    let whole = items(.all)
    if whole.count == count { return html(whole, note: nil) }
    let places = items(.changedPlaces)
    if places.count == count {
      return html(
        places, note: "Each moment lists only the contexts, stores and row caches that it changes.")
    }
    let objects = items(.changedObjects)
    let rest = count - objects.count
    let cut =
      rest > 0 ? " The list omits the last \(grouped(rest)) of \(grouped(count)) moments." : ""
    return html(objects, note: "Each moment lists only the objects that it changes." + cut)
  }

  private func html(_ items: [String], note: String?) -> String {
    """
    <details class="under all-states">
    <summary>State after every step, as text</summary>
    <p>A marked object was changed by the step.\(note.map { " \($0)" } ?? "")</p>
    <ol>
    \(items.joined(separator: "\n"))
    </ol>
    </details>
    """
  }

  /// Returns an item for each of the first moments, up to the maximum number of characters.
  private func items(_ extent: Extent) -> [String] {
    var state = TimelineState(timeline)
    var items: [String] = []
    var size = 0
    for moment in timeline.moments {
      state.advance()
      let number = moment.step > 0 ? "\(moment.step) " : ""
      let title = escaped(
        "\(number)\(timeline.columns[moment.column].name): \(timeline.label(moment))")
      let lines = timeline.places.indices.flatMap { self.lines(of: $0, state, extent) }
      let item =
        lines.isEmpty
        ? "<li>\(title)</li>"
        : "<li><details><summary>\(title)</summary><ul>\(lines.joined())</ul></details></li>"
      size += item.utf8.count
      if size > StateList.limit { break }
      items.append(item)
    }
    return items
  }

  private func lines(of place: Int, _ state: TimelineState, _ extent: Extent) -> [String] {
    let isChanged = !state.changed[place].isEmpty
    if !isChanged, extent != .all { return [] }
    let name = escaped(timeline.places[place])
    let objects = extent == .changedObjects ? state.changed[place] : state.objects(at: place)
    if objects.isEmpty { return ["<li>\(name): empty</li>"] }
    return objects.map { object in
      let text = "\(name): \(escaped(self.text(of: object, at: place, state)))"
      let isMarked = state.changed[place].contains(object)
      return isMarked ? "<li><mark>\(text)</mark></li>" : "<li>\(text)</li>"
    }
  }

  /// Returns a text such as `n updated, version 1, title "a" (unsaved)`.
  private func text(of object: Int, at place: Int, _ state: TimelineState) -> String {
    let name = timeline.objects[object]
    guard let look = state.looks[place][object] else { return "\(name) gone" }
    let head = [look.state, look.version > 0 ? "version \(look.version)" : ""]
    let values = look.attributes.map { attribute in
      "\(attribute.name) \(attribute.value)\(attribute.isUnsaved ? " (unsaved)" : "")"
    }
    return "\(name) " + (head.filter { !$0.isEmpty } + values).joined(separator: ", ")
  }
}

/// The state of every place after a moment, which advances moment by moment.
package struct TimelineState {
  private let timeline: Timeline
  private var next = 0
  /// The state of each object, indexed by place and object. Nil for an object that is not there.
  package private(set) var looks: [[Timeline.Look?]]
  /// The objects that the moment changed, indexed by place. Includes objects that are gone.
  package private(set) var changed: [[Int]]

  /// Creates the state before the first moment.
  package init(_ timeline: Timeline) {
    self.timeline = timeline
    looks = timeline.places.map { _ in timeline.objects.map { _ in nil } }
    changed = timeline.places.map { _ in [] }
    for change in timeline.initialChanges { looks[change.place][change.object] = change.look }
  }

  /// The state as changes from an empty state.
  var changesFromNothing: [Timeline.Change] {
    looks.indices.flatMap { place in
      looks[place].enumerated().compactMap { object, look in
        look.map { .init(place: place, object: object, before: nil, look: $0) }
      }
    }
  }

  /// Advances to the state after the next moment.
  package mutating func advance() {
    for place in changed.indices { changed[place] = [] }
    for change in timeline.moments[next].changes {
      looks[change.place][change.object] = change.look
      if !changed[change.place].contains(change.object) {
        changed[change.place].append(change.object)
      }
    }
    next += 1
  }

  /// Returns the objects at a place, and those that have left it at the moment.
  package func objects(at place: Int) -> [Int] {
    looks[place].indices.filter { looks[place][$0] != nil || changed[place].contains($0) }
  }
}
