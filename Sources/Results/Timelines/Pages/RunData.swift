import Failures
import Foundation
import Vocabulary

/// The data of a run that the script of a page needs, as JSON.
struct RunData {
  private let timeline: Timeline
  private let carried: CarriedText
  private let main: Int?

  init(_ picture: Picture) {
    timeline = picture.timeline
    carried = picture.carried
    main = picture.subject
  }

  var json: String {
    var object: [String: Any] = [
      "places": timeline.places, "objects": timeline.objects,
      "contextCount": timeline.contextCount, "start": timeline.initialChanges.map(change),
      "moments": timeline.moments.map(object(of:)),
      "findings": timeline.findings.indices.map(finding),
    ]
    object["main"] = main
    guard
      let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])
    else { preconditionFailure("a timeline is made of numbers, texts and lists") }
    // Escape `<`, so that no text of a program can end the script element.
    return String(decoding: data, as: UTF8.self).replacing("<", with: "\\u003c")
  }

  /// Returns the data of a moment. The script supplies zeros, empty lists and the usual origin.
  private func object(of moment: Timeline.Moment) -> [String: Any] {
    var object: [String: Any] = [
      "text": timeline.label(moment), "kind": moment.kind.rawValue,
      "queue": timeline.columns[moment.column].name,
    ]
    if moment.step > 0 { object["step"] = moment.step }
    if moment.time > 0 { object["time"] = moment.time }
    if moment.origin != .program { object["origin"] = moment.origin.rawValue }
    object["context"] = moment.context.map { timeline.places[$0.index] }
    let lists: [(name: String, list: [Any])] = [
      ("carries", moment.arrows.flatMap(carried.lines)), ("details", moment.details),
      ("violations", timeline.kinds(at: moment)), ("changes", moment.changes.map(change)),
    ]
    for (name, list) in lists where !list.isEmpty { object[name] = list }
    return object
  }

  /// Returns `[place, object]` if the object no longer exists at the place. Otherwise, also
  /// includes the state, the version, and the changed values by name, or null if the object has no
  /// values. The names of all unsaved values follow, if there are any.
  private func change(_ change: Timeline.Change) -> [Any] {
    guard let look = change.look else { return [change.place, change.object] }
    let changed = look.attributes.filter { attribute in
      change.before?.value(of: attribute.name) != attribute.value
    }
    let values: Any =
      look.attributes.isEmpty ? NSNull() : changed.map { [$0.name, $0.value] }
    let unsaved = look.attributes.filter(\.isUnsaved).map(\.name)
    return [change.place, change.object, look.state, look.version, values]
      + (unsaved.isEmpty ? [] : [unsaved])
  }

  /// Returns the moments that a finding points out, and the moment of each line of its proof.
  private func finding(_ index: Int) -> [String: Any] {
    let proof = timeline.findings[index].proof
    return [
      "moments": timeline.provingMoments(of: index),
      "proof": proof.map { $0.moment ?? -1 },
      "isFocused": timeline.isProvedBySteps(index),
    ]
  }
}
