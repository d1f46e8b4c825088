/// The subscriber of an operator that computes one output from all values. It requests all values
/// immediately, and delivers the output when it is complete and requested.
final class Reduction<Input, UpstreamFailure: Error, Downstream: Subscriber>: Subscriber,
  Subscription, Placed
{
  typealias Failure = UpstreamFailure

  private var downstream: Downstream?
  private var upstream: (any Subscription)?
  private let failure: (UpstreamFailure) -> Downstream.Failure
  /// Processes a value, and returns whether the output is complete.
  private let take: (Input) throws(Downstream.Failure) -> Bool
  private let result: () -> Downstream.Input?
  private var isAsked = false
  private var isComplete = false
  private var isDelivered = false

  init(
    _ downstream: Downstream, failure: @escaping (UpstreamFailure) -> Downstream.Failure,
    result: @escaping () -> Downstream.Input?,
    take: @escaping (Input) throws(Downstream.Failure) -> Bool
  ) {
    (self.downstream, self.failure, self.result, self.take) = (downstream, failure, result, take)
  }

  var place: SourcePlace? { downstream.flatMap { SourcePlace.of($0) } }

  func receive(subscription: any Subscription) {
    guard let downstream, upstream == nil else { return subscription.cancel() }
    upstream = subscription
    downstream.receive(subscription: self)
    upstream?.request(.unlimited)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    guard downstream != nil, !isComplete else { return .none }
    do throws(Downstream.Failure) {
      if try take(input) {
        let upstream = upstream
        self.upstream = nil
        upstream?.cancel()
        complete()
      }
    } catch {
      let downstream = downstream
      cancel()
      downstream?.receive(completion: .failure(error))
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<UpstreamFailure>) {
    guard let downstream, !isComplete else { return }
    upstream = nil
    switch completion {
    case .finished: complete()
    case .failure(let error):
      self.downstream = nil
      downstream.receive(completion: .failure(failure(error)))
    }
  }

  private func complete() {
    isComplete = true
    deliver()
  }

  /// Delivers the output if requested, then finishes. Without an output, finishes even without
  /// demand.
  private func deliver() {
    guard let downstream else { return }
    if let value = result() {
      guard isAsked, !isDelivered else { return }
      // The subscriber may request more while it receives the output.
      isDelivered = true
      _ = downstream.receive(value)
    }
    guard self.downstream != nil else { return }
    self.downstream = nil
    downstream.receive(completion: .finished)
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > 0, !isAsked, downstream != nil else { return }
    isAsked = true
    if isComplete, !isDelivered { deliver() }
  }

  func cancel() {
    let upstream = upstream
    (downstream, self.upstream) = (nil, nil)
    upstream?.cancel()
  }
}
