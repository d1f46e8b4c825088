import Foundation

/// The system on which a calibration package ran.
package struct TestedSystem: Hashable, Codable, Sendable {
  /// The framework with which the tests were linked.
  package enum Framework: String, CaseIterable, Codable, Sendable {
    case coreData = "Core Data"
    /// Faultline's product `CoreData`. It shows that the package works, but nothing about Apple's
    /// framework.
    case simulation
  }

  package var framework: Framework
  /// The bundle version of the framework. Empty for the simulation.
  package var frameworkVersion: String
  /// The name of the system, such as `macOS`.
  package var name: String
  /// The version of the system, such as `15.1` or `15.1.2`.
  package var version: String
  package var architecture: String

  package init(
    framework: Framework, frameworkVersion: String, name: String, version: String,
    architecture: String
  ) {
    self.framework = framework
    self.frameworkVersion = frameworkVersion
    self.name = name
    self.version = version
    self.architecture = architecture
  }

  /// A description of the system, such as `macOS 15.1 (arm64)`.
  package var text: String { "\(name) \(version) (\(architecture))" }

  /// The system of this process.
  package static var current: TestedSystem {
    let version = ProcessInfo.processInfo.operatingSystemVersion
    let patch = version.patchVersion == 0 ? "" : ".\(version.patchVersion)"
    let number = "\(version.majorVersion).\(version.minorVersion)\(patch)"
    #if canImport(Darwin)
      let bundle = Bundle(path: "/System/Library/Frameworks/CoreData.framework")
      let bundleVersion = bundle?.object(forInfoDictionaryKey: "CFBundleVersion") as? String
      return TestedSystem(
        framework: .coreData, frameworkVersion: bundleVersion ?? "", name: systemName,
        version: number, architecture: machine)
    #else
      return TestedSystem(
        framework: .simulation, frameworkVersion: "", name: systemName, version: number,
        architecture: machine)
    #endif
  }

  private static var systemName: String {
    #if os(macOS)
      "macOS"
    #elseif os(Linux)
      "Linux"
    #else
      "another system"
    #endif
  }

  private static var machine: String {
    #if arch(arm64)
      "arm64"
    #elseif arch(x86_64)
      "x86_64"
    #else
      "another architecture"
    #endif
  }
}
