/// The additional file of each module with mutants. It contains the number of the active mutant and
/// the operators of mutants.
enum MutantSupport {
  static let fileName = "MutantSupport.swift"

  /// Returns the replacement of an operator, or `nil` if it is not changed.
  static func opposite(of sign: String) -> String? {
    switch sign {
    case "==": "!="
    case "!=": "=="
    case "<": "<="
    case "<=": "<"
    case ">": ">="
    case ">=": ">"
    case "&&": "||"
    case "||": "&&"
    case "+": "-"
    case "-": "+"
    case "+=": "-="
    case "-=": "+="
    case "..<", "...": "\(sign) to one before"
    default: nil
    }
  }

  /// Returns the custom operator of a mutant. It consists of the sign, and of the number's digits
  /// as signs.
  static func sign(_ sign: String, of number: Int) -> String {
    let digits = Array("∀∁∂∃∄∅∆∇∈∉")
    return sign + String(String(number).map { digits[$0.wholeNumberValue ?? 0] })
  }

  private static func declaration(of sign: String, number n: Int, _ other: String) -> String {
    let own = MutantSupport.sign(sign, of: n)
    func text(_ precedence: String, _ functions: [String]) -> String {
      (["infix operator \(own) : \(precedence)"] + functions).joined(separator: "\n")
    }
    func function(_ generic: String, _ left: String, _ right: String) -> String {
      "@inline(__always) func \(own) \(generic)(a: \(left), b: \(right)) -> Bool { "
        + "activeMutant == \(n) ? a \(other) b : a \(sign) b }"
    }
    switch sign {
    case "==", "!=":
      return text(
        "ComparisonPrecedence",
        [function("<T: Equatable>", "T", "T"), function("<T>", "T?", "_OptionalNilComparisonType")])
    case "<", "<=", ">", ">=":
      return text("ComparisonPrecedence", [function("<T: Comparable>", "T", "T")])
    case "&&", "||":
      let precedence = sign == "&&" ? "LogicalConjunction" : "LogicalDisjunction"
      return text(
        precedence + "Precedence",
        [
          "@inline(__always) func \(own) (a: Bool, b: @autoclosure () throws -> Bool) rethrows "
            + "-> Bool { activeMutant == \(n) ? try a \(other) b() : try a \(sign) b() }"
        ])
    case "+", "-":
      return text(
        "AdditionPrecedence",
        [
          "@inline(__always) func \(own) <T: AdditiveArithmetic>(a: T, b: T) -> T { "
            + "activeMutant == \(n) ? a \(other) b : a \(sign) b }"
        ])
    case "+=", "-=":
      return text(
        "AssignmentPrecedence",
        [
          "@inline(__always) func \(own) <T: AdditiveArithmetic>(a: inout T, b: T) { "
            + "if activeMutant == \(n) { a \(other) b } else { a \(sign) b } }"
        ])
    default:
      let type = sign == "..<" ? "Range" : "ClosedRange"
      return text(
        "RangeFormationPrecedence",
        [
          "@inline(__always) func \(own) (a: Int, b: Int) -> \(type)<Int> { "
            + "a\(sign)(activeMutant == \(n) ? Swift.max(a, b - 1) : b) }"
        ])
    }
  }

  /// Returns the text of the file for a module with these mutants.
  static func text(for mutants: [Mutant]) -> String {
    let declarations = mutants.compactMap { mutant -> String? in
      let signs = mutant.change.split(separator: " ").map(String.init)
      guard signs.count >= 3, signs[1] == "→", let other = opposite(of: signs[0]) else {
        return nil
      }
      return declaration(of: signs[0], number: mutant.number, other)
    }
    return ([common] + declarations).joined(separator: "\n") + "\n"
  }

  private static let common = """
    #if canImport(Glibc)
      import Glibc
    #else
      import Darwin
    #endif

    let activeMutant: Int = {
      guard let text = getenv("FAULTLINE_MUTANT") else { return 0 }
      return Int(String(cString: text)) ?? 0
    }()

    @inline(__always) func mutated(_ n: Int, _ value: Bool) -> Bool {
      activeMutant == n ? !value : value
    }

    extension BidirectionalCollection {
      func first(mutant n: Int) -> Element? { activeMutant == n ? last : first }
      func last(mutant n: Int) -> Element? { activeMutant == n ? first : last }
      func first(mutant n: Int, where test: (Element) throws -> Bool) rethrows -> Element? {
        activeMutant == n ? try last(where: test) : try first(where: test)
      }
      func last(mutant n: Int, where test: (Element) throws -> Bool) rethrows -> Element? {
        activeMutant == n ? try first(where: test) : try last(where: test)
      }
      func firstIndex(mutant n: Int, where test: (Element) throws -> Bool) rethrows -> Index? {
        activeMutant == n ? try lastIndex(where: test) : try firstIndex(where: test)
      }
      func lastIndex(mutant n: Int, where test: (Element) throws -> Bool) rethrows -> Index? {
        activeMutant == n ? try firstIndex(where: test) : try lastIndex(where: test)
      }
    }

    extension BidirectionalCollection where Element: Equatable {
      func firstIndex(mutant n: Int, of element: Element) -> Index? {
        activeMutant == n ? lastIndex(of: element) : firstIndex(of: element)
      }
      func lastIndex(mutant n: Int, of element: Element) -> Index? {
        activeMutant == n ? firstIndex(of: element) : lastIndex(of: element)
      }
    }

    func max<T: Comparable>(mutant n: Int, _ a: T, _ b: T) -> T {
      activeMutant == n ? Swift.min(a, b) : Swift.max(a, b)
    }
    func min<T: Comparable>(mutant n: Int, _ a: T, _ b: T) -> T {
      activeMutant == n ? Swift.max(a, b) : Swift.min(a, b)
    }

    extension Sequence where Element: Comparable {
      func max(mutant n: Int) -> Element? { activeMutant == n ? self.min() : self.max() }
      func min(mutant n: Int) -> Element? { activeMutant == n ? self.max() : self.min() }
    }
    extension Sequence {
      func max(mutant n: Int, by less: (Element, Element) throws -> Bool) rethrows -> Element? {
        activeMutant == n ? try self.min(by: less) : try self.max(by: less)
      }
      func min(mutant n: Int, by less: (Element, Element) throws -> Bool) rethrows -> Element? {
        activeMutant == n ? try self.max(by: less) : try self.min(by: less)
      }
    }
    """
}
