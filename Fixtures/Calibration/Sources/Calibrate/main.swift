import Calibrating
import Foundation

exit(
  CalibrationRun.main(
    Array(CommandLine.arguments.dropFirst()), in: FileManager.default.currentDirectoryPath))
