/// A claim about data that a design promises to keep for all users and all schedules.
package struct Promise: Hashable, Sendable {
  /// The part of a run for which the claim must hold.
  package enum Course: Hashable, Sendable {
    /// The claim holds on every occasion, from the first occasion on which it holds.
    case throughout
    /// After the first occasion on which the claim does not hold, it holds on a later one or at
    /// rest.
    case eventually
    /// The claim holds as in `throughout`, and up to the first occasion on which the release holds.
    case until(Release)
  }

  /// The condition that ends a promise in the place in which it holds.
  package enum Release: Hashable, Sendable {
    case data(DataClaim)
    /// The context has unsaved changes.
    case changed(ContextID)
    /// The context has no unsaved changes.
    case clean(ContextID)

    package var context: ContextID? {
      switch self {
      case .data: nil
      case .changed(let context), .clean(let context): context
      }
    }
  }

  /// The moments at which the claim must hold.
  package enum Occasion: String, CaseIterable, Sendable {
    /// After each save that reaches the place. A context is reached by its own saves, by saves of
    /// its children and by merges.
    case afterSaves
    /// After each action that may change the place.
    case always
    /// When all lanes are idle.
    case atRest
  }

  package var claim: DataClaim
  package var course: Course
  /// The places in which the claim must hold. Not empty.
  package var places: [DataClaim.Place]
  package var occasion: Occasion
  /// The claim and its course in the words of the design. The text also identifies the promise.
  package var text: String

  package init(
    _ claim: DataClaim, _ course: Course = .throughout,
    in places: [DataClaim.Place] = [.stores], _ occasion: Occasion = .afterSaves, text: String
  ) {
    assert(!places.isEmpty, "a promise that holds nowhere: \(text)")
    self.claim = claim
    self.course = course
    self.places = places
    self.occasion = occasion
    self.text = text
  }

  /// The claim that ends the promise, if it is about data.
  package var releasingClaim: DataClaim? {
    if case .until(.data(let claim)) = course { claim } else { nil }
  }

  /// The claims of the promise.
  package var claims: [DataClaim] { [claim] + [releasingClaim].compactMap(\.self) }

  /// The contexts that the promise names.
  package var contexts: [ContextID] {
    let contexts = places.compactMap(\.context)
    guard case .until(let release) = course, let context = release.context else { return contexts }
    return contexts + [context]
  }

  /// Returns the promise without `removed`, or `nil` if the promise holds in no other place, or
  /// until something happens in `removed`.
  package func without(_ removed: ContextID) -> Promise? {
    if case .until(let release) = course, release.context == removed { return nil }
    var promise = self
    promise.places.removeAll { $0 == .context(removed) }
    return promise.places.isEmpty ? nil : promise
  }

  /// Returns the promise with every context replaced.
  package func mapContexts(_ context: (ContextID) -> ContextID) -> Promise {
    var promise = self
    promise.places = places.map { $0.mapContext(context) }
    switch course {
    case .until(.changed(let old)): promise.course = .until(.changed(context(old)))
    case .until(.clean(let old)): promise.course = .until(.clean(context(old)))
    case .throughout, .eventually, .until(.data): break
    }
    return promise
  }
}
