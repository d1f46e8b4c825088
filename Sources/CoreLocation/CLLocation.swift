@_exported public import Foundation

/// Degrees of latitude or longitude.
public typealias CLLocationDegrees = Double
/// Meters.
public typealias CLLocationDistance = Double
/// Meters; less than 0 if the location is not valid.
public typealias CLLocationAccuracy = Double
/// Meters a second.
public typealias CLLocationSpeed = Double
/// Degrees from north, clockwise.
public typealias CLLocationDirection = Double

/// A place on the earth.
public struct CLLocationCoordinate2D: Sendable {
  /// Degrees north of the equator.
  public var latitude: CLLocationDegrees
  /// Degrees east of Greenwich.
  public var longitude: CLLocationDegrees

  /// Makes the coordinate 0, 0.
  public init() { self.init(latitude: 0, longitude: 0) }

  /// Makes a coordinate of degrees.
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    (self.latitude, self.longitude) = (latitude, longitude)
  }
}

/// A coordinate that is none.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(
  latitude: -180, longitude: -180)

/// Returns a Boolean value that indicates whether a coordinate has possible degrees.
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
  abs(coordinate.latitude) <= 90 && abs(coordinate.longitude) <= 180
}

/// A location with a time: a value that attributes keep. No location is measured.
open class CLLocation: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The place.
  public let coordinate: CLLocationCoordinate2D
  /// Meters above the sea.
  public let altitude: CLLocationDistance
  /// The radius of the place, in meters.
  public let horizontalAccuracy: CLLocationAccuracy
  /// The accuracy of the altitude, in meters.
  public let verticalAccuracy: CLLocationAccuracy
  /// When it was measured.
  public let timestamp: Date

  /// Makes a location.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy, timestamp: Date
  ) {
    (self.coordinate, self.altitude) = (coordinate, altitude)
    (self.horizontalAccuracy, self.verticalAccuracy) = (horizontalAccuracy, verticalAccuracy)
    self.timestamp = timestamp
  }

  /// Makes a location of degrees, with the first second of 2001 as its time.
  public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.init(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
      horizontalAccuracy: 0, verticalAccuracy: -1,
      timestamp: Date(timeIntervalSinceReferenceDate: 0))
  }

  /// The meters to another location along a great circle of a sphere with the earth's mean radius.
  public func distance(from other: CLLocation) -> CLLocationDistance {
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    let (a, b) = (radians(coordinate.latitude), radians(other.coordinate.latitude))
    let east = radians(other.coordinate.longitude - coordinate.longitude)
    let half = pow(sin((b - a) / 2), 2) + cos(a) * cos(b) * pow(sin(east / 2), 2)
    return 2 * 6_371_008.8 * asin(min(1, half.squareRoot()))
  }

  private var values: [Double] {
    [
      coordinate.latitude, coordinate.longitude, altitude, horizontalAccuracy, verticalAccuracy,
      timestamp.timeIntervalSinceReferenceDate,
    ]
  }

  /// Returns a Boolean value that indicates whether two locations have the same values.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? CLLocation)?.values == values
  }

  /// The hash of the values.
  open override var hash: Int { values.hashValue }

  /// The location itself, which never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Locations can be archived securely.
  public static var supportsSecureCoding: Bool { true }

  /// Archives the values.
  public func encode(with coder: NSCoder) {
    for (index, value) in values.enumerated() { coder.encode(value, forKey: "value\(index)") }
  }

  /// Reads what `encode` has written.
  public required convenience init?(coder: NSCoder) {
    let values = (0..<6).map { coder.decodeDouble(forKey: "value\($0)") }
    self.init(
      coordinate: CLLocationCoordinate2D(latitude: values[0], longitude: values[1]),
      altitude: values[2], horizontalAccuracy: values[3], verticalAccuracy: values[4],
      timestamp: Date(timeIntervalSinceReferenceDate: values[5]))
  }
}
