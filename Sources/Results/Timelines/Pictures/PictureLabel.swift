/// A text at an edge of a picture.
struct PictureLabel: Hashable {
  /// The class of the edge, which determines the colour.
  let kind: String
  let text: String
  /// The position of the text's baseline. The text begins there, or ends there if it runs
  /// leftwards.
  let x: Int
  let y: Int
  let isLeftwards: Bool
}

/// A part of a picture that no other text may cover.
private struct Area {
  let left: Int
  let right: Int
  let top: Int
  let bottom: Int

  func meets(_ other: Area) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }
}

/// Moves overlapping labels above or below their edges. Prefers a place without labels and boxes.
extension Picture {
  /// Returns the downward shift of each label.
  func shifts(of labels: [PictureLabel]) -> [PictureLabel: Int] {
    let boxes = timeline.moments.indices.map { index in
      let column = timeline.moments[index].column
      return Area(
        left: layout.boxLeft(of: column), right: layout.boxRight(of: column),
        top: layout.y(of: index), bottom: layout.y(of: index) + PictureLayout.boxHeight)
    }
    var taken: [Area] = []
    var shifts: [PictureLabel: Int] = [:]
    for label in labels where !label.text.isEmpty && shifts[label] == nil {
      let shift =
        Picture.steps.first { step in
          let area = self.area(of: label, movedBy: step)
          return !taken.contains { $0.meets(area) }
            && (step == 0 || !boxes.contains { $0.meets(area) })
        } ?? 0
      shifts[label] = shift
      taken.append(area(of: label, movedBy: shift))
    }
    return shifts
  }

  /// The shifts to try, in order. The label's own place comes first.
  private static let steps = [0, 15, -12, 27, -24, 39]

  private func area(of label: PictureLabel, movedBy step: Int) -> Area {
    let width = layout.labelWidth(
      layout.labelText(label.text, at: label.x, isLeftwards: label.isLeftwards))
    let left = label.isLeftwards ? label.x - width : label.x
    let y = label.y + step
    return Area(left: left, right: left + width, top: y - 9, bottom: y + 3)
  }

  func drawn(_ label: PictureLabel) -> String {
    if label.text.isEmpty { return "" }
    let text = label.text
    let shown = layout.labelText(text, at: label.x, isLeftwards: label.isLeftwards)
    let full = shown == text ? "" : "<title>\(escaped(text))</title>"
    let y = label.y + (labelShifts[label] ?? 0)
    return "<text class=\"label \(label.kind)\(label.isLeftwards ? " leftwards" : "")\" "
      + "x=\"\(label.x)\" y=\"\(y)\">\(escaped(shown))\(full)</text>"
  }
}
