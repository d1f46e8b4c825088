extension Subscribers {
  /// A subscriber that requests all values, and calls closures with them.
  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable, Placed {
    private var subscription: (any Subscription)?
    private var value: ((Input) -> Void)?
    private var completion: ((Subscribers.Completion<Failure>) -> Void)?
    let place: SourcePlace?

    /// Creates a subscriber that calls closures.
    public init(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping (Input) -> Void, file: String = #fileID, line: Int = #line
    ) {
      (completion, value) = (receiveCompletion, receiveValue)
      place = SourcePlace(file: file, line: line)
    }

    /// Requests all values.
    public func receive(subscription: any Subscription) {
      guard self.subscription == nil, value != nil else { return subscription.cancel() }
      self.subscription = subscription
      subscription.request(.unlimited)
    }

    /// Calls the closure for values.
    public func receive(_ input: Input) -> Subscribers.Demand {
      value?(input)
      return .none
    }

    /// Calls the closure for the completion.
    public func receive(completion: Subscribers.Completion<Failure>) {
      let last = (self.completion, value)
      (self.completion, value, subscription) = (nil, nil, nil)
      last.0?(completion)
    }

    /// Cancels the subscription and releases the closures.
    public func cancel() {
      let last = (subscription, value, completion)
      (subscription, value, completion) = (nil, nil, nil)
      last.0?.cancel()
    }
  }

  /// A subscriber that requests all values, and assigns each value to a property.
  public final class Assign<Root, Input>: Subscriber, Cancellable, Placed {
    /// The publisher never fails.
    public typealias Failure = Never
    private var subscription: (any Subscription)?
    /// The object, or nil after the end.
    public private(set) var object: Root?
    /// The key path of the property.
    public let keyPath: ReferenceWritableKeyPath<Root, Input>
    let place: SourcePlace?

    /// Creates a subscriber that assigns to a property, and keeps the object alive.
    public init(
      object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>, file: String = #fileID,
      line: Int = #line
    ) {
      (self.object, self.keyPath) = (object, keyPath)
      place = SourcePlace(file: file, line: line)
    }

    /// Requests all values.
    public func receive(subscription: any Subscription) {
      guard self.subscription == nil, object != nil else { return subscription.cancel() }
      self.subscription = subscription
      subscription.request(.unlimited)
    }

    /// Assigns the value to the property.
    public func receive(_ input: Input) -> Subscribers.Demand {
      object?[keyPath: keyPath] = input
      return .none
    }

    /// Releases the object.
    public func receive(completion: Subscribers.Completion<Never>) { cancel() }

    /// Cancels the subscription and releases the object.
    public func cancel() {
      let last = (subscription, object)
      (subscription, object) = (nil, nil)
      last.0?.cancel()
    }
  }
}

extension Publisher {
  /// Calls closures with all values and the completion, until the result is released. Reports name
  /// the blocks that deliver values here by the given file and line.
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void, file: String = #fileID, line: Int = #line
  ) -> AnyCancellable {
    let sink = Subscribers.Sink<Output, Failure>(
      receiveCompletion: receiveCompletion, receiveValue: receiveValue, file: file, line: line)
    subscribe(sink)
    return AnyCancellable(sink)
  }
}

extension Publisher where Failure == Never {
  /// Calls a closure with all values, until the result is released. Reports name the blocks that
  /// deliver values here by the given file and line.
  public func sink(
    receiveValue: @escaping (Output) -> Void, file: String = #fileID, line: Int = #line
  ) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue, file: file, line: line)
  }

  /// Assigns each value to a property, until the result is released. Keeps the object alive.
  public func assign<Root>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root, file: String = #fileID,
    line: Int = #line
  ) -> AnyCancellable {
    let assign = Subscribers.Assign(object: object, keyPath: keyPath, file: file, line: line)
    subscribe(assign)
    return AnyCancellable(assign)
  }
}
