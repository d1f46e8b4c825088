import Foundation

/// The advice of `faultline init` on a package's manifest. It consists of the dependency, with the
/// address of this checkout, and the test target.
enum InitManifest {
  /// Returns the name of the test target for a stack, and of its file, such as `NotesTests` for
  /// `Notes`. Folders called `NotesTests` or `NotesTest` result in the same name.
  static func target(testing name: String) -> String {
    let word = name.filter { $0 != "-" }
    let stem = ["Tests", "Test"].first { word.hasSuffix($0) && word != $0 }
      .map { word.dropLast($0.count) }
    return (stem ?? word[...]) + "Tests"
  }

  /// Returns the lines of the advice.
  ///
  /// - Parameters:
  ///   - folder: The path of the test folder in the package.
  ///   - excluded: Files in the folder that are not sources.
  ///   - manifest: The text of the package's manifest, or an empty text if no package is there.
  static func lines(
    testsIn folder: String, _ name: String, _ excluded: [String], in manifest: String
  ) -> [String] {
    let checkout = Checkout.path("Sources/Faultline").map { path in
      URL(fileURLWithPath: path).deletingLastPathComponent().deletingLastPathComponent().path
    }
    let files = excluded.map { "\"\($0)\"" }.joined(separator: ", ")
    let path = folder.isEmpty ? "." : folder
    let products = ["Faultline", "FaultlineTesting"].map {
      "      .product(name: \"\($0)\", package: \"Faultline\"),"
    }
    let target = target(testing: name)
    let head = [
      "add to Package.swift, whose first line is '// swift-tools-version: 6.2' or later:",
      "  dependencies: [.package(name: \"Faultline\", path: \"\(checkout ?? "PATH OF A CHECKOUT")\")],",
    ]
    let body =
      hasTarget(target, manifest)
      ? ["and to the target \(target), which exists:", "    dependencies: ["] + products
        + ["    ],", "    exclude: [\(files)]"]
      : ["  .testTarget(", "    name: \"\(target)\",", "    dependencies: ["] + products
        + ["    ],", "    path: \"\(path)\", exclude: [\(files)])"]
    return head + body
      + (checkout.flatMap(origin).map {
        ["to build on other machines: .package(url: \"\($0)\", branch: \"main\")"]
      } ?? [])
  }

  private static func hasTarget(_ name: String, _ manifest: String) -> Bool {
    manifest.filter { !$0.isWhitespace }.contains(".testTarget(name:\"\(name)\"")
  }

  /// Returns the address from which the checkout was cloned, or nil if other people cannot use it.
  private static func origin(of checkout: String) -> String? {
    guard let config = try? String(contentsOfFile: checkout + "/.git/config", encoding: .utf8)
    else {
      return nil
    }
    let lines = config.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let section = lines.drop { $0 != "[remote \"origin\"]" }.dropFirst().prefix {
      !$0.hasPrefix("[")
    }
    let address = section.first { $0.hasPrefix("url = ") }?.dropFirst("url = ".count)
    return address.flatMap { $0.contains("://") || $0.hasPrefix("git@") ? String($0) : nil }
  }
}
