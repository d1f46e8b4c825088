import Prose
import Timelines

/// A line chart over time, as SVG.
struct Curve {
  let title: String
  /// The points, with seconds as `x` and a quantity as `y`.
  let points: [(x: Double, y: Double)]

  private static let (width, height, left, bottom) = (340.0, 150.0, 46.0, 22.0)

  /// The chart, or an empty string without points. Both axes begin at zero.
  var element: String {
    guard let end = points.last?.x, end > 0 else { return "" }
    let most = max(1, points.map(\.y).max() ?? 1)
    let places = points.map { point in
      let x = Curve.left + point.x / end * (Curve.width - Curve.left - 8)
      let y = Curve.height - Curve.bottom - point.y / most * (Curve.height - Curve.bottom - 24)
      return "\(Int(x)),\(Int(y))"
    }
    let floor = Int(Curve.height - Curve.bottom)
    return """
      <svg class="curve" viewBox="0 0 \(Int(Curve.width)) \(Int(Curve.height))" role="img" aria-label="\(escaped(title))">
      <text x="\(Int(Curve.left))" y="14">\(escaped(title))</text>
      <line class="axis" x1="\(Int(Curve.left))" y1="\(floor)" x2="\(Int(Curve.width) - 8)" y2="\(floor)"/>
      <text x="\(Int(Curve.left) - 4)" y="30" text-anchor="end">\(Curve.short(most))</text>
      <text x="\(Int(Curve.left) - 4)" y="\(floor + 4)" text-anchor="end">0</text>
      <text x="\(Int(Curve.width) - 8)" y="\(floor + 15)" text-anchor="end">\(Curve.seconds(end))</text>
      <polyline class="line" points="\(places.joined(separator: " "))"/>
      </svg>
      """
  }

  private static func short(_ number: Double) -> String {
    let whole = Int(number.rounded())
    return whole >= 10_000 ? "\(whole / 1_000) k" : grouped(whole)
  }

  private static func seconds(_ number: Double) -> String {
    let tenths = Int(number * 10)
    return number < 10 ? "\(tenths / 10).\(tenths % 10) s" : "\(tenths / 10) s"
  }
}
