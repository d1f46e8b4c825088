public import Foundation

/// An identifier of a background task.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
  /// The number of the task.
  public let rawValue: Int

  /// Creates an identifier with the given number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The identifier of no task.
  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

/// The running app, which is always active and has access to protected data. Windows, events and
/// delegates are not simulated.
@MainActor
open class UIApplication: NSObject {
  /// The only instance.
  public static let shared = UIApplication()

  /// A state of the app.
  public enum State: Int, Sendable {
    /// The app runs in the foreground.
    case active
    /// The app runs in the foreground and gets no events.
    case inactive
    /// The app runs in the background.
    case background
  }

  private var taskCount = 0

  /// The state of the app, which is always in the foreground.
  open var applicationState: State { .active }

  /// A Boolean value that indicates whether protected files can be read, which is always true.
  open var isProtectedDataAvailable: Bool { true }

  /// The remaining seconds in the background. The time is unlimited, because the app is in the
  /// foreground.
  open var backgroundTimeRemaining: TimeInterval { .greatestFiniteMagnitude }

  /// Begins a background task. The handler is never called, because the app never leaves the
  /// foreground.
  open func beginBackgroundTask(
    expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    beginBackgroundTask(withName: nil, expirationHandler: handler)
  }

  /// Begins a named background task. The handler is never called, because the app never leaves the
  /// foreground.
  open func beginBackgroundTask(
    withName name: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    taskCount += 1
    return UIBackgroundTaskIdentifier(rawValue: taskCount)
  }

  /// Ends a background task.
  open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}

  // MARK: Notifications, which an app's tests may post

  /// Posted when the app becomes active.
  public nonisolated static let didBecomeActiveNotification = Notification.Name(
    "UIApplicationDidBecomeActiveNotification")
  /// Posted before the app becomes inactive.
  public nonisolated static let willResignActiveNotification = Notification.Name(
    "UIApplicationWillResignActiveNotification")
  /// Posted when the app enters the background.
  public nonisolated static let didEnterBackgroundNotification = Notification.Name(
    "UIApplicationDidEnterBackgroundNotification")
  /// Posted before the app enters the foreground.
  public nonisolated static let willEnterForegroundNotification = Notification.Name(
    "UIApplicationWillEnterForegroundNotification")
  /// Posted before the app terminates.
  public nonisolated static let willTerminateNotification = Notification.Name(
    "UIApplicationWillTerminateNotification")
  /// Posted when memory is low.
  public nonisolated static let didReceiveMemoryWarningNotification = Notification.Name(
    "UIApplicationDidReceiveMemoryWarningNotification")
  /// Posted when protected files can be read.
  public nonisolated static let protectedDataDidBecomeAvailableNotification = Notification.Name(
    "UIApplicationProtectedDataDidBecomeAvailable")
  /// Posted before protected files are locked.
  public nonisolated static let protectedDataWillBecomeUnavailableNotification =
    Notification.Name("UIApplicationProtectedDataWillBecomeUnavailable")
}
