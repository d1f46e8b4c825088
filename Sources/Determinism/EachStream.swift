/// A value for each stream of choices, side by side: an array would take memory of its own.
package struct EachStream<Value> {
  private let shape: Value
  private let workload: Value
  private let schedule: Value

  package init(_ value: (Choices.Stream) -> Value) {
    (shape, workload, schedule) = (value(.shape), value(.workload), value(.schedule))
  }

  package subscript(stream: Choices.Stream) -> Value {
    switch stream {
    case .shape: shape
    case .workload: workload
    case .schedule: schedule
    }
  }
}

extension EachStream: Equatable where Value: Equatable {}
extension EachStream: Hashable where Value: Hashable {}
extension EachStream: Sendable where Value: Sendable {}
