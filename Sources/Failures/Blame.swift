/// What a failure is blamed on, as far as that tells two bugs apart.
package struct Blame: Hashable, Sendable {
  package var identity: FailureIdentity
  /// The part of the design that showed it, or without which it does not happen; nil if that is no
  /// one part.
  package var part: DesignPart?
  /// How the objects of its example were changed, where that was noted.
  package var ways: ChangeWays?

  package init(_ identity: FailureIdentity, part: DesignPart?, ways: ChangeWays?) {
    self.identity = identity
    self.part = part
    self.ways = ways
  }

  package var kind: FailureKind { identity.kind }
  package var cause: Cause? { identity.cause }
  package var group: FailureGroup { identity.group(part: part, ways: ways) }

  /// Whether both are one bug: of one group, and of one cause, in one part of the design where a
  /// part is the cause. Which save or which call shows what a quirk or a merge policy does makes no
  /// other bug.
  package func isSameBug(as other: Blame) -> Bool {
    if group != other.group { return false }
    if kind != other.kind { return isSameHarm(as: other) }
    // Two saves of one row cross under any policy that settles their conflict.
    if kind.invariant == .SavesDoNotCross, case .mergePolicy = cause,
      case .mergePolicy = other.cause
    {
      return true
    }
    let isInOnePart = part == other.part
    if arePartsCauses(with: other) {
      // To keep the work off the main queue mends all of it, whatever calls it there.
      if isAboutMainQueue { return isHeldUp == other.isHeldUp }
      // One part is one cause, whether it was found by leaving it out or since it took the step.
      if isInOnePart, part != nil { return true }
    }
    return identity.agrees(with: other.identity) && (cause?.isOfPart != true || isInOnePart)
  }

  /// Whether failures of two kinds tell of one harm: what a part of the design does to steps of the
  /// program and to the design's; saves that a policy fails, likewise; a main queue that is blocked
  /// for as long as it asks stores itself.
  private func isSameHarm(as other: Blame) -> Bool {
    if kind.invariant == other.kind.invariant, cause == other.cause {
      return cause?.isOfPart == true
        ? part != nil && part == other.part && kind.site != .store && other.kind.site != .store
        : kind.invariant == .SavesMeetNoConflict
    }
    return isAboutMainQueue && other.isAboutMainQueue && arePartsCauses(with: other)
      && !isHeldUp && !other.isHeldUp
  }

  private func arePartsCauses(with other: Blame) -> Bool {
    cause?.isOfPart == true && other.cause?.isOfPart == true
  }

  private var isAboutMainQueue: Bool { kind.invariant?.isAboutMainQueue == true }

  /// Also where it was not noted.
  private var isHeldUp: Bool {
    kind.invariant == .MainQueueKeepsWithinItsBudget && ways?.contains(.heldUp) != false
  }
}
