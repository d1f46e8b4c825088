import Prose

/// Whether a failing program is as short as it can be, and how that is known.
package struct Certificate: Hashable, Sendable {
  package enum Verdict: Hashable, Sendable {
    /// No program of fewer steps fails like it, nor one of as many with fewer preemptions.
    case minimal
    /// No program of fewer steps fails like it; as many may do with fewer preemptions, or simpler
    /// ones.
    case shortest
    /// All programs of fewer steps than this were seen before the budget was spent.
    case open(belowSteps: Int)
    /// Likewise, but then the search met one that seems to fail in this way, and is another failure
    /// in a whole run, or fails on a part of the design alone.
    case doubtful(belowSteps: Int)
    /// There are more steps to try than can be searched.
    case tooLarge
    /// Nothing shorter was searched for: shrinking was all.
    case unsearched
    /// Nothing shorter was searched for, because the campaign leaves failures of this kind out.
    case leftOut
    /// Nothing shorter was searched for, because the report shows the failure in brief.
    case inBrief
  }

  package var verdict: Verdict
  /// Of the program.
  package var stepCount: Int
  /// How many different states were gone on with, and how many steps that took.
  package var stateCount = 0
  package var transitionCount = 0
  /// How many different steps the programs were made of.
  package var letterCount = 0
  /// Whether the common steps were among them, and not only the program's own.
  package var isWide = false
  /// Where they were not: all programs of fewer steps than this were seen that have common steps
  /// besides.
  package var wideReach = 0
  /// Whether the program has parts of a designed stack, and only those were searched.
  package var isOfParts = false
  /// How many runs it took to shrink the program, if there may be no more: then edits might still
  /// shrink it.
  package var exhaustedBudget: Int?
  /// How many states it took to search all schedules of the program for fewer preemptions, where
  /// the search over programs did not get that far; 0 if that was not done.
  package var scheduleStateCount = 0

  package var isMinimal: Bool { verdict == .minimal }
  /// Whether no program of fewer steps fails like it.
  package var isComplete: Bool { verdict == .minimal || verdict == .shortest }

  /// As reports print it.
  package var sentence: String {
    var sentence = verdictSentence
    if scheduleStateCount > 0 {
      sentence +=
        "; with these steps no schedule of fewer preemptions fails: all "
        + "\(grouped(scheduleStateCount)) states were checked"
    }
    if let exhaustedBudget {
      sentence += "; shrinking ended with its budget of \(grouped(exhaustedBudget)) runs"
    }
    return sentence
  }

  private var kindOfSteps: String {
    (isWide ? "its own and common steps" : "its own steps") + ofParts
  }

  private var ofParts: String { isOfParts ? ", on these parts of the stack" : "" }

  private func heading(_ what: String) -> String {
    "certified \(what)\(isWide || stepCount == 1 ? "" : " of its own steps"): "
  }

  /// How far it is known that common steps make no shorter program.
  private var wideSearched: String {
    if isWide || stepCount == 1 { return "" }
    return wideReach < 2
      ? "; with common steps besides there were too many to search"
      : "; with common steps besides, none of fewer than \(wideReach)"
  }

  private func programsChecked(_ below: Int) -> String {
    "all programs of fewer than \(below) \(below == 1 ? "step" : "steps") made of \(kindOfSteps) "
      + "were checked"
  }

  private var verdictSentence: String {
    let states = stateCount == 1 ? "1 state" : "\(grouped(stateCount)) states"
    let searched =
      stepCount == 1
      ? "nothing is shorter than its one step"
      : "no program of fewer than \(stepCount) steps fails in this way"
        + (isWide ? ", made of \(kindOfSteps) " : "\(ofParts) ")
        + "(\(letterCount) to choose from, \(states) searched)"
    switch verdict {
    case .minimal: return heading("minimal") + searched + wideSearched
    case .shortest:
      return heading("shortest") + searched + wideSearched
        + "; there may be simpler ones of as many steps"
    case .open(let below):
      return "not certified: the budget of \(grouped(transitionCount)) transitions was spent; "
        + programsChecked(below)
    case .doubtful(let below):
      return
        "not certified: the shorter program that the search found fails in another way, or not on "
        + "the whole stack; " + programsChecked(below)
    case .tooLarge:
      return
        "not certified: there are more than \(grouped(StepAlphabet.limit)) steps to choose from"
    case .unsearched:
      return "not certified: a release build searches for something shorter"
    case .leftOut:
      return "not certified: the campaign leaves this kind out, and searched for nothing shorter"
    case .inBrief:
      return
        "not certified: the campaign showed the failure in brief; -v searches for something shorter"
    }
  }
}
