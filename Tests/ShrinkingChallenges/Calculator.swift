import Determinism
import PropertyTesting

extension ShrinkingChallenge {
  /// The claim: a term of numbers, sums and quotients, without division by the number 0, can be
  /// evaluated.
  package static let calculator = ShrinkingChallenge(
    "calculator", best: "(0 / (0 + 0))",
    generate: { Term.draw(from: &$0, depth: 5) },
    claim: { term in
      guard !term.dividesByTheNumberZero else { return nil }
      return term.value != nil
    })
}

private indirect enum Term: CustomStringConvertible {
  case number(Int)
  case sum(Term, Term)
  case quotient(Term, Term)

  static func draw(from choices: inout Choices, depth: Int) -> Term {
    choices.span(in: .workload) { choices in
      switch choices.draw(below: depth > 0 ? 3 : 1, from: .workload) {
      case 1:
        .sum(draw(from: &choices, depth: depth - 1), draw(from: &choices, depth: depth - 1))
      case 2:
        .quotient(draw(from: &choices, depth: depth - 1), draw(from: &choices, depth: depth - 1))
      default: .number(choices.integer(in: -100...100, from: .workload))
      }
    }
  }

  var dividesByTheNumberZero: Bool {
    switch self {
    case .number: false
    case .quotient(_, .number(0)): true
    case .sum(let a, let b), .quotient(let a, let b):
      a.dividesByTheNumberZero || b.dividesByTheNumberZero
    }
  }

  /// The value of the term, or nil if it divides by 0.
  var value: Int? {
    switch self {
    case .number(let number): return number
    case .sum(let a, let b):
      guard let a = a.value, let b = b.value else { return nil }
      return a + b
    case .quotient(let a, let b):
      guard let a = a.value, let b = b.value, b != 0 else { return nil }
      return a / b
    }
  }

  var description: String {
    switch self {
    case .number(let number): "\(number)"
    case .sum(let a, let b): "(\(a) + \(b))"
    case .quotient(let a, let b): "(\(a) / \(b))"
    }
  }
}
