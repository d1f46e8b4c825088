#if os(Linux)
  import CoreData

  // In this module, the name means the center of the run.
  typealias NotificationCenter = SimulatedNotificationCenter
#endif
