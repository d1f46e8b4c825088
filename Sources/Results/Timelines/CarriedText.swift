/// Describes the changes that an arrow carries, briefly for labels and in full for details.
struct CarriedText {
  private let timeline: Timeline
  /// The violation that the page is about. Changes of its object and attribute come first.
  private let subject: Timeline.Finding?

  init(_ timeline: Timeline, about subject: Timeline.Finding?) {
    (self.timeline, self.subject) = (timeline, subject)
  }

  /// Returns a label, such as `title = "right" +2`.
  func label(_ arrow: Timeline.Arrow) -> String {
    guard let first = ordered(arrow.carries).first else {
      return arrow.kind == .save ? "no change" : ""
    }
    let rest = arrow.carries.count > 1 ? " +\(arrow.carries.count - 1)" : ""
    guard let kept = arrow.kept, kept.object == first.object, kept.attribute == first.attribute
    else { return short(first) + rest }
    return "\(short(first))\(rest), keeps \(kept.value)"
  }

  /// Returns a line for each change, such as `saves to view: n.title = "right"`.
  func lines(_ arrow: Timeline.Arrow) -> [String] {
    let place = arrow.place.map { timeline.places[$0] } ?? ""
    let start = arrow.kind == .save ? "saves to \(place): " : "brings: "
    if arrow.carries.isEmpty { return arrow.kind == .save ? [start + "no change"] : [] }
    let kept = arrow.kept.map { item in
      "keeps \(timeline.objects[item.object]).\(item.attribute) = \(item.value)"
    }
    return ordered(arrow.carries).map { start + full($0) } + [kept].compactMap(\.self)
  }

  private func ordered(_ carries: [Timeline.Carried]) -> [Timeline.Carried] {
    let isSubject = { (item: Timeline.Carried) in
      item.object == subject?.object
        && (subject?.attribute == nil || item.attribute == subject?.attribute)
    }
    return carries.filter(isSubject) + carries.filter { !isSubject($0) }
  }

  private func short(_ item: Timeline.Carried) -> String {
    let object = timeline.objects[item.object]
    switch item.news {
    case .insertion: return "new \(object)"
    case .deletion: return "\(object) deleted"
    case .value:
      let owner = timeline.objects.count > 1 ? "\(object)." : ""
      return "\(owner)\(item.attribute) = \(item.value)"
    }
  }

  private func full(_ item: Timeline.Carried) -> String {
    let object = timeline.objects[item.object]
    switch item.news {
    case .insertion: return "new \(object) \(item.value)"
    case .deletion: return "deletion of \(object)"
    case .value: return "\(object).\(item.attribute) = \(item.value)"
    }
  }
}
