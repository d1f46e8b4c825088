import SimulatedCoreData
package import SimulatedDispatch
package import Vocabulary

/// Runs a program so that its actions occur in a given order, as far as a schedule can achieve
/// that. This turns a recorded run into a program with a schedule.
///
/// Before each turn, the runnable lanes are tried on a copy of the run, starting with the lane
/// whose action is due soonest. The first lane is taken that performs the action that is due, or no
/// action.
package struct GuidedRun {
  /// An action that is due.
  package struct Due {
    package let action: Action
    /// The queue that performs the action, or `nil` for the program's thread.
    package let queue: QueueID?
    /// The events that the action must produce, or `nil` for any events.
    package let events: [Event]?

    package init(_ action: Action, on queue: QueueID?, events: [Event]?) {
      (self.action, self.queue, self.events) = (action, queue, events)
    }
  }

  private var driver: RunDriver<GivenSteps>
  /// The program, with the schedule that was found.
  package private(set) var program: Program
  private let order: [Due]
  /// The number of elements of `order` that have been performed.
  private var position = 0
  private let isIgnored: (Action) -> Bool
  /// A Boolean value that indicates whether the actions occurred exactly in the given order, with
  /// the same events.
  package private(set) var isExact = true

  /// - Parameter isIgnored: Returns whether the order omits an action.
  package init(
    _ program: Program, _ configuration: RunConfiguration, order: [Due],
    ignoring isIgnored: @escaping (Action) -> Bool
  ) {
    var program = program
    (program.isInterleaved, program.schedule) = (true, [])
    self.program = program
    self.order = order
    self.isIgnored = isIgnored
    driver = RunDriver(walking: program, configuration)
    play()
    if position < order.count { isExact = false }
  }

  private mutating func play() {
    while true {
      let lanes = driver.alternatives
      if !lanes.isEmpty {
        take(one(of: lanes), of: lanes)
      } else if !driver.wake() {
        return
      }
    }
  }

  /// Chooses the lane that runs next, by its index in `lanes`.
  private mutating func one(of lanes: [LaneID]) -> Int {
    let sorted = lanes.indices.sorted { a, b in
      (dueTime(of: lanes[a]), a) < (dueTime(of: lanes[b]), b)
    }
    if sorted.count == 1 { return sorted[0] }
    for index in sorted {
      var copy = driver
      var performed: [Action] = []
      copy.go(lanes[index]) { action, _ in performed.append(action) }
      let followed = performed.filter { !isIgnored($0) }
      if order[position...].map(\.action).starts(with: followed) { return index }
    }
    return sorted[0]
  }

  /// Returns the position in `order` of the next action on the lane's queue.
  private func dueTime(of lane: LaneID) -> Int {
    let queue = driver.run.world.dispatcher.queue(of: lane)
    return order[position...].firstIndex { $0.queue == queue } ?? order.count
  }

  private mutating func take(_ index: Int, of lanes: [LaneID]) {
    if lanes.count > 1 { program.schedule.append(UInt32(index)) }
    var performed: [(Action, [Event])] = []
    driver.go(lanes[index]) { performed.append(($0, $1)) }
    for (action, events) in performed where !isIgnored(action) {
      guard position < order.count, order[position].action == action else {
        isExact = false
        // Skip actions that the program cannot perform.
        if let index = order[position...].firstIndex(where: { $0.action == action }) {
          position = index + 1
        }
        continue
      }
      if let due = order[position].events, due != events { isExact = false }
      position += 1
    }
  }
}
