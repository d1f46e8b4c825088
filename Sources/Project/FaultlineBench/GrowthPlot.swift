import Foundation
import Prose
import Reporting

/// Curves as a picture with logarithmic scales, which shows the time per step and, beside it, the
/// memory.
struct GrowthPlot {
  let curves: [Curve]

  private static let (width, height) = (360, 240)
  private static let margin = (left: 76, right: 36, top: 34, bottom: 44)

  var svg: String {
    let size = (2 * GrowthPlot.width, curves.count * GrowthPlot.height)
    var parts = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(size.0) \(size.1)\" "
        + "font-family=\"system-ui, sans-serif\" font-size=\"11\">",
      "<rect width=\"\(size.0)\" height=\"\(size.1)\" fill=\"#fff\"/>",
    ]
    for (row, curve) in curves.enumerated() {
      let measured = [
        ("nanoseconds per step", curve.points.map { ($0.x, $0.time) }),
        (curve.memoryName, curve.points.compactMap { point in point.memory.map { (point.x, $0) } }),
      ]
      for (column, (unit, points)) in measured.enumerated() where !points.isEmpty {
        let origin = (column * GrowthPlot.width, row * GrowthPlot.height)
        parts.append("<g transform=\"translate(\(origin.0) \(origin.1))\">")
        parts += panel(curve, of: unit, points)
        parts.append("</g>")
      }
    }
    return (parts + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  /// A logarithmic scale between powers of ten.
  private struct Scale {
    let (low, high): (Int, Int)
    let length: Double

    /// Creates a scale between the powers of ten that enclose `values`.
    init(_ values: [Double], length: Int) {
      let logarithms = values.map { log10($0) }
      low = Int((logarithms.min() ?? 0).rounded(.down))
      high = max(low + 1, Int((logarithms.max() ?? 1).rounded(.up)))
      self.length = Double(length)
    }

    func place(_ value: Double) -> Double {
      (log10(value) - Double(low)) / Double(high - low) * length
    }

    var ticks: [(text: String, place: Double)] {
      (low...high).map { power in
        let place = Double(power - low) / Double(high - low) * length
        return (grouped(Int(pow(10, Double(power)))), place)
      }
    }
  }

  private func panel(_ curve: Curve, of unit: String, _ points: [(x: Int, y: Figure)]) -> [String] {
    let margin = GrowthPlot.margin
    let (width, height) = (
      GrowthPlot.width - margin.left - margin.right, GrowthPlot.height - margin.top - margin.bottom
    )
    let x = Scale(points.map { Double($0.x) }, length: width)
    let y = Scale(
      points.flatMap { [$0.y.least, $0.y.greatest] }.map(GrowthPlot.visible), length: height)
    func point(_ a: Int, _ b: Double) -> (String, String) {
      (
        tenths(Double(margin.left) + x.place(Double(a))),
        tenths(Double(margin.top + height) - y.place(GrowthPlot.visible(b)))
      )
    }
    var parts = [
      "<text x=\"\(margin.left)\" y=\"18\" font-size=\"13\" font-weight=\"600\">\(curve.title)</text>"
    ]
    for tick in y.ticks {
      let line = tenths(Double(margin.top + height) - tick.place)
      parts.append(
        "<path d=\"M\(margin.left) \(line)h\(width)\" stroke=\"#ddd\"/>"
          + "<text x=\"\(margin.left - 6)\" y=\"\(line)\" dy=\"4\" text-anchor=\"end\" fill=\"#555\">\(tick.text)</text>"
      )
    }
    for tick in x.ticks {
      let place = tenths(Double(margin.left) + tick.place)
      parts.append(
        "<text x=\"\(place)\" y=\"\(margin.top + height + 16)\" text-anchor=\"middle\" fill=\"#555\">\(tick.text)</text>"
      )
    }
    parts.append(
      "<text x=\"\(margin.left + width)\" y=\"\(GrowthPlot.height - 12)\" text-anchor=\"end\" fill=\"#555\">\(curve.xName); \(unit) upwards</text>"
    )
    let line = points.map { point($0.x, $0.y.median) }.map { "\($0.0),\($0.1)" }
    parts.append(
      "<polyline points=\"\(line.joined(separator: " "))\" fill=\"none\" stroke=\"#0b62c4\" stroke-width=\"2\"/>"
    )
    for measured in points {
      let (low, high) = (
        point(measured.x, measured.y.least), point(measured.x, measured.y.greatest)
      )
      let middle = point(measured.x, measured.y.median)
      parts.append(
        "<path d=\"M\(low.0) \(low.1)V\(high.1)\" stroke=\"#0b62c4\" opacity=\"0.5\"/>"
          + "<circle cx=\"\(middle.0)\" cy=\"\(middle.1)\" r=\"3\" fill=\"#0b62c4\"/>")
    }
    return parts
  }

  /// Returns the value to draw. A logarithmic scale has no place for zero, so values below one are
  /// drawn as one.
  private static func visible(_ value: Double) -> Double { max(1, value) }

  private func tenths(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
