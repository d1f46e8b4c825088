import Failures
import Prose
import Vocabulary

/// Where the runs of a finding showed it: by part of the design and by kind of context. The example
/// of a finding is the smallest, and shows one of them.
package struct Sightings: Sendable {
  private struct Place: Hashable, Sendable {
    let part: DesignPart?
    let role: ContextRole?
  }

  /// In order of appearance.
  private var places: [(place: Place, runs: RunSet)] = []

  /// - Parameter design: The whole stack, on which alike parts are one.
  init(of failure: FailureSignature, in runs: RunSet, on design: Stack?) {
    guard let detail = failure.detail, runs.count > 0 else { return }
    let part = design.map { detail.part?.withItsLike(in: $0) } ?? detail.part
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

  /// "930 in a main-queue root, 412 in a private-queue root", the most frequent first; nil if there
  /// is one place. Parts are named only if they differ, and so are contexts. A run may be counted
  /// at several places.
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
      if !hasParts { return "\(count) in a \(context)" }
      return "\(count) in \(part?.text ?? "steps of the program")"
        + (hasRoles ? " (\(context))" : "")
    }.joined(separator: "; ")
  }
}
