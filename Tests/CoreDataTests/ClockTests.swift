import CoreData
import Foundation
import Testing

@Suite struct `The time of a run` {
  @Test func `all functions that return the time agree`() {
    live {
      let (start, uptime) = (CFAbsoluteTimeGetCurrent(), SimulatedValues.uptime)
      #expect(abs(start - SimulatedValues.date.timeIntervalSinceReferenceDate) < 0.000_1)
      #expect(abs(start - NSDate(ofRun: ()).timeIntervalSinceReferenceDate) < 0.000_1)
      #expect(uptime >= 0 && uptime < 1)
      SimulatedThread.sleep(forTimeInterval: 90)
      #expect(abs(CFAbsoluteTimeGetCurrent() - start - 90) < 0.000_1)
      #expect(abs(SimulatedValues.uptime - uptime - 90) < 0.000_1)
    }
  }

  @Test func `NSUUID returns the same identifier in each run`() {
    let log = EventLog()
    for _ in 0..<2 { live { log.note(NSUUID(ofRun: ()).uuidString) } }
    #expect(log.events.count == 2 && log.events[0] == log.events[1])
  }
}

@Suite struct `An exception of the app` {
  @Test func `an exception stops the process with its name and its reason`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      NSException(name: .invalidArgumentException, reason: "no store", userInfo: nil).raise()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("NSInvalidArgumentException is raised: no store"))
  }
}

@Suite struct `The folder of a group of apps` {
  @Test func `the folder of an app group can hold a store`() {
    live {
      let folder = FileManager.default.containerURL(
        forSecurityApplicationGroupIdentifier: "group.notes")
      #expect(folder?.path.hasSuffix("/Library/Group Containers/group.notes") == true)
      let container = NSPersistentContainer(name: "Notes", managedObjectModel: Notes.model())
      let url = folder?.appendingPathComponent("Notes.sqlite")
      container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url!)]
      container.loadPersistentStores { _, error in #expect(error == nil) }
      #expect(container.persistentStoreCoordinator.persistentStores.first?.url == url)
    }
  }
}
