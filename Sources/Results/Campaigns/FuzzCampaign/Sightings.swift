import Failures
import Prose
import Vocabulary

/// The parts of the design and the kinds of contexts in which the runs of a finding showed it. The
/// example of a finding shows only one of them.
package struct Sightings: Sendable {
  private struct Place: Hashable, Sendable {
    let part: DesignPart?
    let role: ContextRole?
  }

  /// The places with their runs, in order of appearance.
  private var places: [(place: Place, runs: RunSet)] = []

  /// Creates the sightings of a failure.
  ///
  /// - Parameter design: The whole stack, whose equivalent parts count as one.
  init(of failure: FailureSignature, in runs: RunSet, on design: Stack?) {
    guard let detail = failure.detail, runs.count > 0 else { return }
    let part = design.map { detail.part?.mergedWithEquivalents(in: $0) } ?? detail.part
    places = [(Place(part: part, role: detail.role), runs)]
  }

  mutating func add(_ other: Sightings) {
    for (place, runs) in other.places {
      if let known = places.firstIndex(where: { $0.place == place }) {
        places[known].runs.formUnion(runs)
      } else {
        places.append((place, runs))
      }
    }
  }

  /// A text such as "930 in a main-queue root, 412 in a private-queue root", the most frequent
  /// place first. Nil if there is only one place.
  ///
  /// Parts are named only if they differ, and so are contexts. A run may count at several places.
  package var text: String? {
    let hasParts = Set(places.map(\.place.part)).count > 1
    let hasRoles = Set(places.map(\.place.role)).count > 1
    if !hasParts, !hasRoles { return nil }
    let counted = places.enumerated().sorted { a, b in
      (-a.element.runs.count, a.offset) < (-b.element.runs.count, b.offset)
    }
    return counted.map { _, sighting in
      let (part, role) = (sighting.place.part, sighting.place.role)
      let count = grouped(sighting.runs.count)
      let context = role?.text ?? "several contexts"
      if !hasParts { return role == nil ? "\(count) in \(context)" : "\(count) in a \(context)" }
      return "\(count) in \(part?.text ?? "steps of the program")"
        + (hasRoles ? " (\(context))" : "")
    }.joined(separator: "; ")
  }
}
