@_exported public import Foundation

/// An angle of latitude or longitude in degrees.
public typealias CLLocationDegrees = Double
/// A distance in meters.
public typealias CLLocationDistance = Double
/// An accuracy in meters. A negative value indicates an invalid location.
public typealias CLLocationAccuracy = Double
/// A speed in meters per second.
public typealias CLLocationSpeed = Double
/// A direction in degrees clockwise from north.
public typealias CLLocationDirection = Double

/// A latitude and a longitude.
public struct CLLocationCoordinate2D: Sendable {
  /// The degrees north of the equator.
  public var latitude: CLLocationDegrees
  /// The degrees east of Greenwich.
  public var longitude: CLLocationDegrees

  /// Creates the coordinate 0, 0.
  public init() { self.init(latitude: 0, longitude: 0) }

  /// Creates a coordinate with the given latitude and longitude.
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    (self.latitude, self.longitude) = (latitude, longitude)
  }
}

/// An invalid coordinate.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(
  latitude: -180, longitude: -180)

/// Returns a Boolean value that indicates whether the latitude and the longitude are in range.
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
  abs(coordinate.latitude) <= 90 && abs(coordinate.longitude) <= 180
}

/// A location with a time, as a value of attributes. The simulation measures no locations.
open class CLLocation: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The coordinate of the location.
  public let coordinate: CLLocationCoordinate2D
  /// The altitude above sea level, in meters.
  public let altitude: CLLocationDistance
  /// The radius of uncertainty of the coordinate, in meters.
  public let horizontalAccuracy: CLLocationAccuracy
  /// The accuracy of the altitude, in meters.
  public let verticalAccuracy: CLLocationAccuracy
  /// The time at which the location was measured.
  public let timestamp: Date

  /// Creates a location with the given values.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy, timestamp: Date
  ) {
    (self.coordinate, self.altitude) = (coordinate, altitude)
    (self.horizontalAccuracy, self.verticalAccuracy) = (horizontalAccuracy, verticalAccuracy)
    self.timestamp = timestamp
  }

  /// Creates a location at a latitude and longitude, with the first second of 2001 as its time.
  public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.init(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
      horizontalAccuracy: 0, verticalAccuracy: -1,
      timestamp: Date(timeIntervalSinceReferenceDate: 0))
  }

  /// Returns the distance to another location in meters. It is measured along a great circle of a
  /// sphere with the earth's mean radius.
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

  /// Encodes the values.
  public func encode(with coder: NSCoder) {
    for (index, value) in values.enumerated() { coder.encode(value, forKey: "value\(index)") }
  }

  /// Creates a location from the values that `encode(with:)` wrote.
  public required convenience init?(coder: NSCoder) {
    let values = (0..<6).map { coder.decodeDouble(forKey: "value\($0)") }
    self.init(
      coordinate: CLLocationCoordinate2D(latitude: values[0], longitude: values[1]),
      altitude: values[2], horizontalAccuracy: values[3], verticalAccuracy: values[4],
      timestamp: Date(timeIntervalSinceReferenceDate: values[5]))
  }
}
