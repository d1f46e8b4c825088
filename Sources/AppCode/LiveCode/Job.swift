import ObjectModel
import SimulatedDispatch
import Vocabulary

/// A job of an app's code that a lane runs, which is the main code of the run or a block on a
/// queue.
package final class Job: @unchecked Sendable {
  package let number: Int
  /// The context of a `perform` block, whose event ends with the job. Other jobs have none.
  let event: ContextID?
  /// The place where the code was enqueued, such as `File.swift:12`, or an empty string if unknown.
  /// A task has its name as origin, which is known once the task runs.
  package internal(set) var origin: String
  /// The number of the call of an app function that led to this job.
  var call: Int?
  /// A Boolean value that indicates whether the job belongs to a task, which ends at the task's
  /// next suspension.
  let isTask: Bool
  /// The code, or nil after it has run.
  var body: (() -> Void)?
  /// The lane of the job, or nil until its turn comes.
  var lane: LaneID?
  var thread: PooledThread?
  /// The queue that the job waits for.
  var awaited: QueueID?
  /// The events of the last action that the job requested.
  var events: [Event] = []
  /// The number that the last action of the job has read.
  var lastRead: Reading?
  /// Objects that the job has obtained. They stay alive until the job ends, as in an
  /// autorelease pool, so that compiler optimisations do not affect when an object is deallocated.
  var pool: [AnyObject] = []

  init(
    _ number: Int, event: ContextID? = nil, origin: String = "", isTask: Bool = false,
    body: @escaping () -> Void
  ) {
    self.number = number
    self.event = event
    self.origin = origin
    self.isTask = isTask
    self.body = body
  }

  func drainPool() {
    while !pool.isEmpty {
      // Empty the pool before releasing its objects, because a deinitializer may add to the pool.
      let objects = pool
      pool = []
      withExtendedLifetime(objects) {}
    }
  }
}

/// A number that code has read.
struct Reading {
  let instance: HeldInstance
  let property: PropertyID
  let number: Int64

  init?(_ step: AddressedStep, _ events: [Event]) {
    guard case .get(let name, let property, as: _) = step.step,
      case .value(.integer(let number))? = events.last
    else { return nil }
    instance = HeldInstance(step.context, name)
    self.property = property
    self.number = number
  }

  /// Returns the increment that a `set` step performs if it sets the property that was read to the
  /// next higher or the next lower number.
  func increment(by step: AddressedStep) -> AddressedStep? {
    guard case .set(let name, property, .integer(let new)) = step.step,
      HeldInstance(step.context, name) == instance
    else { return nil }
    let (amount, overflows) = new.subtractingReportingOverflow(number)
    guard !overflows, amount == 1 || amount == -1 else { return nil }
    return AddressedStep(step.context, .increment(name, property, by: amount))
  }
}
