/// One stream of a run: what decides its numbers, and which have been drawn.
@usableFromInline struct ChoiceStream {
  @usableFromInline struct Draw {
    @usableFromInline var value: UInt32
    /// How many alternatives there were.
    @usableFromInline var bound: UInt32

    @inlinable init(value: UInt32, bound: UInt32) { (self.value, self.bound) = (value, bound) }
  }

  /// Comes before what chance decides.
  @usableFromInline let replayed: [UInt32]
  /// Nil where nothing is left to chance.
  @usableFromInline var generator: Generator?
  @usableFromInline var draws: [Draw] = []

  init(replaying replayed: [UInt32], then generator: Generator?) {
    self.replayed = replayed
    self.generator = generator
    // A run from a seed draws much.
    if generator != nil { draws.reserveCapacity(ChoiceStream.usualCount) }
  }

  /// A kilobyte.
  private static let usualCount = 124

  /// Begins anew. What was drawn is forgotten, its space is kept.
  mutating func restart(with generator: Generator) {
    self.generator = generator
    draws.removeAll(keepingCapacity: true)
  }

  /// From the recording as far as it goes, then by chance, or from `bytes` where there is none.
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

  /// What `choose` comes to with the chance of this stream.
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

/// What another fuzzer decides: each choice takes as many of the next bytes as its bound has. When
/// there are no more, the rest is as simple as can be.
@usableFromInline struct ChoiceBytes {
  /// The next one last.
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
