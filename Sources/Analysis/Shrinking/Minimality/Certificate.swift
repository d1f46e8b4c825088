import Prose

/// The evidence that a failing program is as short as possible.
package struct Certificate: Hashable, Sendable {
  package enum Verdict: Hashable, Sendable {
    /// No program with fewer steps fails like it, nor a program with as many steps and fewer
    /// preemptions.
    case minimal
    /// No program with fewer steps fails like it. A program with as many steps may fail with fewer
    /// preemptions, or with simpler steps.
    case shortest
    /// The budget was spent after all programs with fewer steps than this were searched.
    case open(belowSteps: Int)
    /// All programs with fewer steps than this were searched. The search then found a program that
    /// seems to fail in the same way. In a whole run that program shows another failure, or fails
    /// only on a part of the design.
    case doubtful(belowSteps: Int)
    /// There are more steps to choose from than can be searched.
    case tooLarge
    /// The program was only shrunk. No shorter program was searched for.
    case unsearched
    /// No shorter program was searched for, because the campaign leaves out failures of this kind.
    case leftOut
    /// No shorter program was searched for, because the report shows the failure in brief.
    case inBrief
  }

  package var verdict: Verdict
  package var stepCount: Int
  /// The number of different states from which the search continued. `transitionCount` is the
  /// number of transitions that it made.
  package var stateCount = 0
  package var transitionCount = 0
  /// The number of different steps from which programs were composed.
  package var letterCount = 0
  /// A Boolean value that indicates whether the search also used common steps, and not only the
  /// steps of the program.
  package var isWide = false
  /// The number of steps below which all programs with common steps were searched, if `isWide` is
  /// false.
  package var wideReach = 0
  /// A Boolean value that indicates whether the program has only parts of a designed stack, so that
  /// only those were searched.
  package var isOfParts = false
  /// The budget of runs, if shrinking ended because it was spent. Further edits might then shrink
  /// the program.
  package var exhaustedBudget: Int?
  /// The number of states in a separate search of all schedules for fewer preemptions. 0 without
  /// such a search, or if the search had no result.
  package var scheduleStateCount = 0

  package var isMinimal: Bool { verdict == .minimal }
  /// A Boolean value that indicates whether no program with fewer steps fails like it.
  package var isComplete: Bool { verdict == .minimal || verdict == .shortest }

  /// The certificate in a few words.
  package var summary: String {
    switch verdict {
    case .minimal, .shortest:
      stepCount == 1
        ? "minimal: the program has one step"
        : "minimal: no program of fewer than \(stepCount) steps fails in this way"
    case .open, .doubtful, .tooLarge, .unsearched, .leftOut, .inBrief:
      "small, but not proven minimal"
    }
  }

  /// The whole certificate, with the reach of the search.
  package var sentence: String {
    var sentence = verdictSentence
    if scheduleStateCount > 0 {
      sentence +=
        "; with these steps, no schedule with fewer preemptions fails "
        + "(all \(grouped(scheduleStateCount)) states checked)"
    }
    if let exhaustedBudget {
      sentence += "; shrinking stopped after its budget of \(grouped(exhaustedBudget)) runs"
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

  /// A clause that states up to which length programs with common steps were searched.
  private var wideSearched: String {
    if isWide || stepCount == 1 { return "" }
    return wideReach < 2
      ? "; with common steps added, there were too many programs to search"
      : "; with common steps added, no program of fewer than \(wideReach) steps fails in this way"
  }

  private func programsChecked(_ below: Int) -> String {
    "all programs of fewer than \(below) \(below == 1 ? "step" : "steps") made of \(kindOfSteps) "
      + "were checked"
  }

  private var verdictSentence: String {
    let states = stateCount == 1 ? "1 state" : "\(grouped(stateCount)) states"
    let searched =
      stepCount == 1
      ? "no program is shorter than one step"
      : "no program of fewer than \(stepCount) steps fails in this way"
        + (isWide ? ", made of \(kindOfSteps) " : "\(ofParts) ")
        + "(\(letterCount) to choose from, \(states) searched)"
    switch verdict {
    case .minimal: return heading("minimal") + searched + wideSearched
    case .shortest:
      return heading("shortest") + searched + wideSearched
        + "; simpler programs of as many steps may exist"
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
      return "not certified: only a release build searches for shorter programs"
    case .leftOut:
      return
        "not certified: the campaign leaves out failures of this kind, and searched for no shorter program"
    case .inBrief:
      return
        "not certified: the report shows the failure in brief; -v searches for shorter programs"
    }
  }
}
