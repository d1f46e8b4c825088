/// Returns a number with separators between groups of three digits, such as `1,234,567`.
package func grouped(_ number: Int) -> String {
  var result = ""
  for (index, digit) in String(number).enumerated() {
    if index > 0, (String(number).count - index) % 3 == 0 { result += "," }
    result.append(digit)
  }
  return result
}
