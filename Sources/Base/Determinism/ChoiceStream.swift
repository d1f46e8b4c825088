/// One stream of choices in a run: its source and the numbers drawn so far.
@usableFromInline struct ChoiceStream {
  @usableFromInline struct Draw {
    @usableFromInline var value: UInt32
    /// The number of alternatives.
    @usableFromInline var bound: UInt32

    @inlinable init(value: UInt32, bound: UInt32) { (self.value, self.bound) = (value, bound) }
  }

  /// The recorded numbers, which are used before the generator.
  @usableFromInline let replayed: [UInt32]
  /// The generator for numbers beyond the recording, or `nil` if the stream reads `ChoiceBytes`
  /// there.
  @usableFromInline var generator: Generator?
  @usableFromInline var draws: [Draw] = []

  init(replaying replayed: [UInt32], then generator: Generator?) {
    self.replayed = replayed
    self.generator = generator
    // A run from a seed draws many numbers.
    if generator != nil { draws.reserveCapacity(ChoiceStream.usualCount) }
  }

  /// The usual number of draws, which take a kilobyte.
  private static let usualCount = 124

  /// Restarts the stream with `generator`. Forgets all draws and keeps their memory.
  mutating func restart(with generator: Generator) {
    self.generator = generator
    draws.removeAll(keepingCapacity: true)
  }

  /// Draws from the recording until it ends, then from the generator. Without a generator, reads
  /// `bytes`.
  @inlinable mutating func draw(below bound: Int, orReading bytes: inout ChoiceBytes) -> Int {
    precondition(bound > 0, "a choice among \(bound) alternatives")
    let value: Int
    if draws.count < replayed.count {
      value = min(Int(replayed[draws.count]), bound - 1)
    } else if bound == 1 {
      value = 0
    } else {
      value = generator?.next(below: bound) ?? bytes.read(below: bound)
    }
    append(value, below: bound)
    return value
  }

  /// Records the number that `choose` returns when called with the stream's generator.
  mutating func decide(below bound: Int, by choose: (inout Generator) -> Int) -> Int {
    guard var generator else { preconditionFailure("nothing is left to chance") }
    let value = choose(&generator)
    self.generator = generator
    precondition(0..<bound ~= value, "\(value) was chosen of \(bound) alternatives")
    append(value, below: bound)
    return value
  }

  @inlinable mutating func append(_ value: Int, below bound: Int) {
    draws.append(Draw(value: UInt32(value), bound: UInt32(bound)))
  }
}

/// Choices read from the input of another fuzzer. Each choice reads as many bytes as its bound has.
/// Once the input has ended, every choice is 0, the simplest.
@usableFromInline struct ChoiceBytes {
  /// The unread bytes in reverse order: the next byte is last.
  private var left: [UInt8]

  init(_ bytes: [UInt8] = []) { left = bytes.reversed() }

  @usableFromInline mutating func read(below bound: Int) -> Int {
    var (number, range) = (0, 1)
    while range < bound, let byte = left.popLast() {
      number = number << 8 | Int(byte)
      range <<= 8
    }
    return number % bound
  }
}
