/// A property wrapper that publishes the values of its property. The publisher sends a new value
/// before the property changes, so that subscribers that read the property get the old value.
@propertyWrapper public struct Published<Value> {
  private let storage: PublishedStorage<Value>

  /// Creates a property with an initial value.
  public init(wrappedValue: Value) { storage = PublishedStorage(wrappedValue) }
  /// Creates a property with an initial value.
  public init(initialValue: Value) { self.init(wrappedValue: initialValue) }

  /// A publisher of the property's values.
  public var projectedValue: Publisher {
    get { Publisher(storage) }
    set { self = Published(newValue.storage) }
  }

  private init(_ storage: PublishedStorage<Value>) { self.storage = storage }

  /// Unavailable, because only properties of classes can be published.
  @available(*, unavailable, message: "@Published is only available on properties of classes")
  public var wrappedValue: Value {
    get { storage.value }
    nonmutating set { storage.set(newValue) }
  }

  /// Accesses the property of an object. Before a change, `objectWillChange` of the object sends an
  /// event.
  public static subscript<EnclosingSelf: AnyObject>(
    _enclosingInstance object: EnclosingSelf,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
  ) -> Value {
    get { object[keyPath: storageKeyPath].storage.value }
    set { object[keyPath: storageKeyPath].storage.set(newValue) }
  }

  /// A publisher of the property's current value and of each later value.
  public struct Publisher: Combine.Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Value
    /// The publisher never fails.
    public typealias Failure = Never
    fileprivate let storage: PublishedStorage<Value>

    fileprivate init(_ storage: PublishedStorage<Value>) { self.storage = storage }

    /// Attaches a subscriber, which receives the current value first.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
      storage.attach(subscriber)
    }
  }
}

extension Published: AnyPublished {
  var announcer: ObservableObjectPublisher? {
    get { storage.willChange }
    nonmutating set { storage.willChange = newValue }
  }
}

/// A property that announces its changes to an object's publisher.
protocol AnyPublished {
  /// The publisher of the object, which sends an event before each change.
  var announcer: ObservableObjectPublisher? { get nonmutating set }
}

/// The value of a property, shared by all copies of the wrapper.
final class PublishedStorage<Value> {
  private(set) var value: Value
  var willChange: ObservableObjectPublisher?
  /// Created for the first subscriber.
  private var hub: Hub<Value, Never>?
  /// The subscriptions that assign values to the property. They end with the property.
  fileprivate var assignments: [AnyCancellable] = []

  init(_ value: Value) { self.value = value }

  deinit { for assignment in assignments { assignment.cancel() } }

  func set(_ new: Value) {
    willChange?.send()
    hub?.send(new)
    value = new
  }

  fileprivate func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Value, S.Failure == Never {
    let hub = hub ?? Hub()
    if self.hub == nil {
      self.hub = hub
      hub.current = { [unowned self] in value }
    }
    hub.attach(subscriber, of: self)
  }
}

extension Publisher where Failure == Never {
  /// Assigns each value to a published property, as long as the property exists. The subscription
  /// does not keep the object alive, and need not be cancelled.
  public func assign(
    to published: inout Published<Output>.Publisher, file: String = #fileID, line: Int = #line
  ) {
    let storage = published.storage
    let assignment = sink(
      receiveValue: { [weak storage] in storage?.set($0) }, file: file, line: line)
    storage.assignments.append(assignment)
  }
}
