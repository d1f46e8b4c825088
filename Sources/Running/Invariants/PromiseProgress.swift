import SimulatedCoreData
import Vocabulary

/// A promise in one of its places.
struct PromiseInPlace: Hashable {
  /// The text that identifies the promise.
  let promise: String
  let place: DataClaim.Place
}

/// The progress of promises that contain `eventually` or `until`.
struct PromiseProgress: Hashable {
  /// The promises whose release has held.
  private var released: [PromiseInPlace] = []
  /// The promises to be kept eventually whose claim did not hold yet when it was judged.
  private var awaited: [PromiseInPlace] = []
  /// The promises to be kept eventually whose claim has held.
  private var fulfilled: [PromiseInPlace] = []

  func isAwaited(_ promise: PromiseInPlace) -> Bool { awaited.contains(promise) }

  func isFulfilled(_ promise: PromiseInPlace) -> Bool { fulfilled.contains(promise) }

  mutating func beginWait(_ promise: PromiseInPlace) {
    if !awaited.contains(promise) { awaited.append(promise) }
  }

  mutating func endWait(_ promise: PromiseInPlace) { awaited.removeAny { $0 == promise } }

  mutating func fulfill(_ promise: PromiseInPlace) {
    endWait(promise)
    if !fulfilled.contains(promise) { fulfilled.append(promise) }
  }

  /// Returns a Boolean value that indicates whether the promise ended before this moment, or ends
  /// now. A promise without a release never ends.
  func isReleased(_ promise: PromiseInPlace, _ course: Promise.Course, in world: World) -> Bool {
    guard case .until(let release) = course else { return false }
    if released.contains(promise) { return true }
    return switch release {
    case .data(let claim): claim.breach(in: promise.place, world) == nil
    case .changed(let context): world.graph.hasChanges(context)
    case .clean(let context): !world.graph.hasChanges(context)
    }
  }

  mutating func release(_ promise: PromiseInPlace) {
    if !released.contains(promise) { released.append(promise) }
  }

  /// Forgets the progress in contexts, which a kill has ended. The stores remain.
  mutating func forgetContexts() {
    released.removeAny { $0.place != .stores }
    awaited.removeAny { $0.place != .stores }
    fulfilled.removeAny { $0.place != .stores }
  }
}
