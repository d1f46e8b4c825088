import SimulatedDispatch
import Vocabulary

/// The end of the app, wherever it stands: only rows on disk outlive it.
extension World {
  /// Stops all lanes where they are. The driver continues in a new app, and so does the clock.
  /// §stop-lanes
  mutating func abandonLanes() {
    dispatcher = Dispatcher(now: dispatcher.now)
    queues = Queues()
    makeQueues()
    flags = stack.flags.map { _ in false }  // §kill.6
    lanesThatFound = []
    assert(dispatcher.isIdle, "a lane survives the end of the app")
  }
}
