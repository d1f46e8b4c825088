import AppKit
import CoreData
import CoreLocation
import Testing
import UIKit

@Suite struct `A platform value` {
  private static func archived<Value: NSObject & NSSecureCoding>(_ value: Value) throws -> Value? {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: value, requiringSecureCoding: true)
    return try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: data)
  }

  @Test func `platform values are equal after archiving`() throws {
    let color = UIColor(red: 0.25, green: 0.5, blue: 0.75, alpha: 1)
    #expect(try Self.archived(color) == color)
    let font = UIFont.boldSystemFont(ofSize: 12)
    #expect(try Self.archived(font) == font)
    let image = try #require(UIImage(data: Data([1, 2])))
    #expect(try Self.archived(image) == image)
    let location = CLLocation(latitude: 48.2, longitude: 16.4)
    #expect(try Self.archived(location) == location)
  }

  @Test func `colors have components, images have data, and locations have distances`() throws {
    var (red, alpha): (CGFloat, CGFloat) = (0, 0)
    unsafe UIColor.red.withAlphaComponent(0.5).getRed(&red, green: nil, blue: nil, alpha: &alpha)
    #expect(red == 1 && alpha == 0.5)
    #expect(NSColor(white: 1, alpha: 1) == NSColor.white)
    #expect(UIImage(data: Data()) == nil)
    #expect(NSImage(data: Data([7]))?.pngData() == Data([7]))
    let (north, south) = (
      CLLocation(latitude: 1, longitude: 0), CLLocation(latitude: 0, longitude: 0)
    )
    // The distance is one degree of a great circle.
    #expect(abs(north.distance(from: south) - 111_195) < 1)
    #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
  }

  @Test func `a transformable attribute keeps a color`() {
    live {
      let model = Notes.model()
      let color = NSAttributeDescription()
      color.name = "color"
      color.attributeType = .transformableAttributeType
      model.entities[0].properties.append(color)
      let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
      container.loadPersistentStores { _, error in #expect(error == nil) }
      let note = NSManagedObject(entity: model.entities[0], insertInto: container.viewContext)
      note.setValue(UIColor.orange, forKey: "color")
      try container.viewContext.save()
      container.viewContext.refresh(note, mergeChanges: false)
      #expect(note.value(forKey: "color") as? UIColor == .orange)
    }
  }

  @Test @MainActor func `an app gives each background task its own identifier`() {
    let app = UIApplication.shared
    let (first, second) = (app.beginBackgroundTask(), app.beginBackgroundTask(withName: "save"))
    #expect(first != second && first != .invalid)
    app.endBackgroundTask(first)
    #expect(app.applicationState == .active && app.isProtectedDataAvailable)
  }
}
