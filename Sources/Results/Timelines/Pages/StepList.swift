/// The moments of a run as a list, for screens too narrow for a picture. Each moment has the colour
/// of its lane, and lists the changes that it passes on.
struct StepList {
  private let picture: Picture

  init(_ picture: Picture) { self.picture = picture }

  private var timeline: Timeline { picture.timeline }

  var html: String {
    let items = timeline.moments.indices.map { index in
      let line =
        picture.parting?.moment == index
        ? "<li class=\"parts\">\(escaped(picture.parting?.text ?? ""))</li>\n" : ""
      return line + item(index)
    }
    return "<ol class=\"list\(picture.isFocused ? " focus" : "")\">\n"
      + items.joined(separator: "\n") + "\n</ol>"
  }

  private func item(_ index: Int) -> String {
    let moment = timeline.moments[index]
    var classes = ["moment-row", timeline.laneClass(of: moment.column), moment.kind.rawValue]
    if !moment.violations.isEmpty || moment.kind == .deadlock { classes.append("violated") }
    if picture.isInProof(index) { classes.append("proof") }
    let number = moment.step > 0 ? "\(moment.step)" : ""
    return "<li class=\"\(classes.joined(separator: " "))\"><button type=\"button\" "
      + "data-moment=\"\(index)\"><span class=\"number\">\(number)</span>"
      + "<span class=\"lane-name\">\(escaped(timeline.columns[moment.column].name))</span>"
      + "<span class=\"badges\">\(badges(index))</span>"
      + "<span class=\"text\">\(escaped(timeline.label(moment)))</span>\(notes(index))"
      + "</button></li>"
  }

  private func badges(_ moment: Int) -> String {
    guard let subject = picture.subject else { return "" }
    return timeline.findings[subject].proof.enumerated().filter { $0.element.moment == moment }
      .map { "<i>\($0.offset + 1)</i>" }.joined()
  }

  private func notes(_ index: Int) -> String {
    let moment = timeline.moments[index]
    let arrows = moment.arrows.compactMap { arrow -> String? in
      let label = picture.carried.label(arrow)
      if label.isEmpty { return nil }
      let place = arrow.place.map { "→ \(timeline.places[$0]): " } ?? "← "
      return "<span class=\"note \(arrow.kind.rawValue)\">\(escaped(place + label))</span>"
    }
    let holds = timeline.findings.flatMap(\.cycle).filter { $0.wait == index }.map { link in
      "<span class=\"note cycle\">"
        + escaped((link.claim.map { "\($0), " } ?? "") + "waits for \(link.waitsFor)") + "</span>"
    }
    let kinds = timeline.kinds(at: moment).map {
      "<span class=\"note kind\">✗ \(escaped($0))</span>"
    }
    return (arrows + holds + kinds).joined()
  }
}
