public import CoreData
import Foundation
import XCTest

/// An expectation that a change of a property fulfills. Replaces `XCTKVOExpectation` in a prepared
/// module. The object is a managed object, or a context with the key path `hasChanges`.
open class SimulatedXCTKVOExpectation: SimulatedXCTestExpectation, @unchecked Sendable {
  /// Returns whether a change fulfills the expectation.
  public typealias Handler = (Any, [AnyHashable: Any]) -> Bool
  /// The key path of the observed property.
  public let keyPath: String
  /// The observed object.
  public let observedObject: Any
  /// The value that the property must reach, or nil if any change is sufficient.
  public let expectedValue: Any?
  /// The options of the observation.
  public let options: NSKeyValueObservingOptions
  /// Decides whether a change fulfills the expectation. If it is nil, the expected value decides.
  open var handler: Handler?
  private var observer: Observer?

  /// Creates an expectation that a property becomes equal to `expectedValue`, or changes if that is
  /// nil.
  public init(
    keyPath: String, object: Any, expectedValue: Any? = nil,
    options: NSKeyValueObservingOptions = []
  ) {
    (self.keyPath, observedObject, self.expectedValue) = (keyPath, object, expectedValue)
    self.options = options
    super.init(description: "\(keyPath) changes")
    let observer = Observer(object, keyPath) { [weak self] change in
      guard let self, isMeant(change) else { return }
      fulfill()
    }
    self.observer = observer
    // If the property already has the expected value, the expectation is fulfilled.
    observer.begin(expectedValue == nil ? options : options.union(.initial))
  }

  private func isMeant(_ change: [NSKeyValueChangeKey: Any]) -> Bool {
    if isFulfilled { return false }
    if let handler {
      let named = change.map { (AnyHashable($0.key.rawValue), $0.value) }
      return handler(
        observedObject, Dictionary(named, uniquingKeysWith: { first, _ in first }))
    }
    guard let expectedValue else { return true }
    let value: Any? =
      switch observedObject {
      case let object as NSManagedObject: object.value(forKeyPath: keyPath)
      case let context as NSManagedObjectContext: context.hasChanges
      default: nil
      }
    if let number = value as? NSNumber, let expected = expectedValue as? NSNumber {
      return number.isEqual(to: expected)
    }
    guard let value = value as? AnyHashable, let expected = expectedValue as? AnyHashable else {
      return false
    }
    return value == expected
  }

  /// Fulfills the expectation and ends the observation.
  open override func fulfill(_ file: StaticString = #file, line: Int = #line) {
    observer = nil
    super.fulfill(file, line: line)
  }

  private final class Observer: NSObject, SimulatedKeyValueObserver {
    private let object: Any
    private let keyPath: String
    private let call: ([NSKeyValueChangeKey: Any]) -> Void

    init(
      _ object: Any, _ keyPath: String, _ call: @escaping ([NSKeyValueChangeKey: Any]) -> Void
    ) {
      (self.object, self.keyPath, self.call) = (object, keyPath, call)
    }

    func begin(_ options: NSKeyValueObservingOptions) {
      switch object {
      case let object as NSManagedObject:
        unsafe object.addObserver(self, forKeyPath: keyPath, options: options, context: nil)
      case let context as NSManagedObjectContext:
        unsafe context.addObserver(self, forKeyPath: keyPath, options: options, context: nil)
      default:
        preconditionFailure(
          "\(keyPath) of \(type(of: object)) is not simulated: only managed objects and contexts can "
            + "be observed")
      }
    }

    deinit {
      switch object {
      case let object as NSManagedObject: object.removeObserver(self, forKeyPath: keyPath)
      case let context as NSManagedObjectContext:
        context.removeObserver(self, forKeyPath: keyPath)
      default: break
      }
    }

    func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) { call(change ?? [:]) }
  }
}
