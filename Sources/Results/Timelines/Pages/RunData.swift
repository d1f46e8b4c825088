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

  private func object(of moment: Timeline.Moment) -> [String: Any] {
    var object: [String: Any] = [
      "text": timeline.label(moment), "step": moment.step, "time": moment.time,
      "kind": moment.kind.rawValue,
      "queue": timeline.columns[moment.column].name, "origin": moment.origin.rawValue,
      "carries": moment.arrows.flatMap(carried.lines),
      "details": moment.details,
      "violations": timeline.kinds(at: moment),
      "changes": moment.changes.map(change),
    ]
    object["context"] = moment.context.map { timeline.places[$0.index] }
    return object
  }

  /// Returns `[place, object]` if the object no longer exists at the place. Otherwise, also
  /// includes the state, the version, and the values by name.
  private func change(_ change: Timeline.Change) -> [Any] {
    guard let look = change.look else { return [change.place, change.object] }
    return [
      change.place, change.object, look.state, look.version,
      look.attributes.map { [$0.name, $0.value] },
    ]
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
