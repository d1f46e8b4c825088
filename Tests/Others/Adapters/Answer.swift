import Glibc

/// Prints a line at once, because the process may end with the next step.
func answer(_ line: String) {
  puts(line)
  fflush(nil)
}
