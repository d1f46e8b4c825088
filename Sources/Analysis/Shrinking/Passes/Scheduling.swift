import Execution
import PropertyTesting

/// Passes that bring the schedule closer to the one in which no lane overtakes another (B). A
/// nonzero choice is called a departure from that schedule.
extension ProgramShrinker {
  /// Makes lanes keep their order, or sets the schedule to zeros (B1).
  mutating func zeroSchedule() {
    guard best.program.isInterleaved else { return }
    if attempt({ $0.isInterleaved = false }) { return }
    attempt { $0.schedule = [] }
  }

  /// Sets the longest possible suffix of departures to zeros, and then the longest possible prefix
  /// (B2).
  mutating func zeroPartOfSchedule() {
    guard best.program.isInterleaved else { return }
    let places = best.program.schedule.indices.filter { best.program.schedule[$0] != 0 }
    var base = best.program.schedule
    _ = largestCount(upTo: places.count) { count in
      var schedule = base
      for place in places.suffix(count) { schedule[place] = 0 }
      return attempt { $0.schedule = schedule }
    }
    base = best.program.schedule
    let left = base.indices.filter { base[$0] != 0 }
    _ = largestCount(upTo: left.count) { count in
      var schedule = base
      for place in left.prefix(count) { schedule[place] = 0 }
      return attempt { $0.schedule = schedule }
    }
  }

  /// Lowers each departure, starting at the end of the schedule (B3).
  mutating func dropPreemptions() {
    guard best.program.isInterleaved else { return }
    var place = best.program.schedule.count - 1
    while place >= 0, !shouldYield {
      if place < best.program.schedule.count {
        for choice in 0..<best.program.schedule[place] {
          if attempt(choice, at: place) { break }
        }
      }
      place -= 1
    }
  }

  private mutating func attempt(_ choice: UInt32, at place: Int) -> Bool {
    var schedule = best.program.schedule
    schedule[place] = choice
    return attempt { $0.schedule = schedule }
  }

  /// Moves a departure earlier or later, or swaps two departures (B4 and B5).
  mutating func movePreemptions() {
    guard best.program.isInterleaved else { return }
    for place in best.program.schedule.indices.reversed() where !shouldYield {
      for other in [place - 1, place + 1, place - 2, place + 2] {
        var schedule = best.program.schedule
        guard schedule.indices.contains(place), schedule.indices.contains(other),
          schedule[place] != 0
        else { continue }
        schedule.swapAt(place, other)
        attempt { $0.schedule = schedule }
        // An earlier departure may replace several later ones.
        schedule = Array(schedule.prefix(max(place, other) + 1))
        attempt { $0.schedule = schedule }
      }
    }
    joinPreemptions()
  }

  /// Replaces two consecutive departures with a single departure at any position.
  private mutating func joinPreemptions() {
    let schedule = best.program.schedule
    let departures = schedule.indices.filter { schedule[$0] != 0 }
    for (first, second) in zip(departures, departures.dropFirst()) {
      var base = schedule
      (base[first], base[second]) = (0, 0)
      for place in 0...second where base[place] == 0 {
        for choice in 1..<max(1, best.outcome.alternativeCounts[place]) where !shouldYield {
          var joined = base
          joined[place] = UInt32(choice)
          // The later choices may belong to other steps.
          if attempt({ $0.schedule = joined }) { return }
          if attempt({ $0.schedule = Array(joined[...place]) }) { return }
        }
      }
    }
  }
}
