extension Dispatcher {
  /// Traps if two copies of the same fact disagree.
  package func checkInvariants() {
    checkQueues()
    checkLanes()
    checkTime()
  }

  private func checkQueues() {
    precondition(
      suspensionCount == queues.reduce(0) { $0 + $1.suspensionCount },
      "\(suspensionCount) calls of suspend are not what the queues count")
    var ownedCounts = lanes.map { _ in 0 }
    for (index, queue) in queues.enumerated() {
      precondition(
        lanes[queue.worker.index].queue?.index == index,
        "queue \(index) and lane \(queue.worker.index) disagree about the worker")
      precondition(queue.suspensionCount >= 0, "queue \(index) was resumed too often")
      if let owner = queue.owner {
        ownedCounts[owner.index] += 1
        precondition(queue.holdCount > 0, "queue \(index) is owned but not held")
      } else {
        precondition(
          queue.line.count == 0 || queue.suspensionCount > 0,
          "queue \(index) is free and a lane stands in line")
        precondition(queue.holdCount == 0, "queue \(index) is held and has no owner")
      }
    }
    for (index, lane) in lanes.enumerated() {
      precondition(
        lane.ownedQueueCount == ownedCounts[index],
        "lane \(index) counts \(lane.ownedQueueCount) of its \(ownedCounts[index]) queues")
    }
  }

  private func checkLanes() {
    var isInLine = lanes.map { _ in false }
    for (index, queue) in queues.enumerated() {
      for position in 0..<queue.line.count {
        guard case .waiter(let lane) = queue.line[position] else { continue }
        precondition(
          lanes[lane.index].waitsFor?.index == index,
          "lane \(lane.index) stands in line for queue \(index) without waiting for it")
        precondition(!isInLine[lane.index], "lane \(lane.index) stands in line twice")
        isInLine[lane.index] = true
      }
    }
    for (index, lane) in lanes.enumerated() {
      let id = LaneID(index: index)
      precondition(
        isInLine[index] == (lane.waitsFor != nil), "lane \(index) waits but stands in no line")
      precondition(!(lane.isAsleep && lane.waitsFor != nil), "lane \(index) sleeps and waits")
      precondition(!lane.isStuck || lane.waitsFor != nil, "lane \(index) is stuck without waiting")
      precondition(
        lane.canRun == ready.contains(id), "lane \(index) is listed wrongly as runnable"
      )
      if let detour = lane.detour {
        precondition(
          owns(id, detour.queue) || lane.waitsFor == detour.queue,
          "lane \(index) goes on as a thread whose queue it has not")
        precondition(
          detour.ownedBefore.allSatisfy { owns(id, $0) }, "lane \(index) gave back a queue too soon"
        )
      }
      if let queue = lane.queue {
        precondition(
          lane.frames.isEmpty || owns(id, queue),
          "lane \(index) has frames but runs no block of queue \(queue.index)")
      }
    }
    precondition(
      ready.count == lanes.count(where: \.canRun), "\(ready.count) lanes are listed as runnable")
    precondition(
      lanes.count(where: \.isStuck) == deadlocks.count, "each deadlock sticks one lane")
  }

  private func checkTime() {
    var sleepers = lanes.map { _ in 0 }
    var later = Instant(milliseconds: .max)
    for deadline in deadlines {
      precondition(now < deadline.instant && deadline.instant <= later, "deadlines out of order")
      later = deadline.instant
      if case .wake(let lane) = deadline.event { sleepers[lane.index] += 1 }
    }
    for (index, lane) in lanes.enumerated() {
      precondition(
        sleepers[index] == (lane.isAsleep ? 1 : 0), "lane \(index) has \(sleepers[index]) alarms")
    }
  }
}
