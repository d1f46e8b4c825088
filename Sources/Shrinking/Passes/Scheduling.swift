import Execution
import PropertyTesting

/// B. The schedule comes nearer to the one in which no lane overtakes another.
extension ProgramShrinker {
  /// B1. No lane overtakes another, or lanes may and none does.
  mutating func zeroSchedule() {
    guard best.program.isInterleaved else { return }
    if attempt({ $0.isInterleaved = false }) { return }
    attempt { $0.schedule = [] }
  }

  /// B2. The longest suffix that can be zero, then the longest prefix.
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

  /// B3. One departure at a time, from the end, goes or becomes a smaller one.
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

  /// B4 and B5. A departure comes earlier or later, or two change places.
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
        // One departure earlier may stand for several later ones.
        schedule = Array(schedule.prefix(max(place, other) + 1))
        attempt { $0.schedule = schedule }
      }
    }
    joinPreemptions()
  }

  /// One departure, wherever it has to be, in the place of two that follow each other.
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
          // The choices after it are others'.
          if attempt({ $0.schedule = joined }) { return }
          if attempt({ $0.schedule = Array(joined[...place]) }) { return }
        }
      }
    }
  }
}
