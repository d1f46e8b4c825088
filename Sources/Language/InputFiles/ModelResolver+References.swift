import ObjectModel
import Prose

/// Resolves references to properties, which require that all properties are known: inverses and
/// uniqueness constraints.
extension ModelResolver {
  mutating func resolveInverses() {
    for index in declared.indices {
      for position in declared[index].indices {
        let place = Place(entity: EntityID(index), index: position)
        do throws(InputError) {
          guard case .relationship(var relationship) = self[place].property.kind,
            let inverse = try inverse(of: place)
          else { continue }
          relationship.inverse = number(of: inverse)
          declared[index][position].property.kind = .relationship(relationship)
        } catch {
          reading.errors.add(error)
        }
      }
    }
  }

  /// Returns the inverse of a relationship.
  ///
  /// The inverse must name the relationship as its own inverse. Its destination must be the entity
  /// of the relationship or a subentity.
  private mutating func inverse(of place: Place) throws(InputError) -> Place? {
    let element = self[place].element
    guard let relationship = self[place].property.relationship,
      let inverseName = element["inverseName"]
    else { return nil }
    let destination = relationship.destination
    if element["inverseEntity"] != nil {
      guard let named = entity("inverseEntity", of: element) else { return nil }
      guard lineages[destination.index].contains(named) else {
        throw element.error(
          "inverseEntity is \(quoted(names[named.index])); it should be the destination, "
            + quoted(names[destination.index]))
      }
    }
    guard let inverse = find(inverseName, in: destination) else {
      if isTransientRelationship(inverseName, of: destination) {
        let name = description(of: place).dropFirst().dropLast()
        reading.notes.passOver(.transientInverse, String(name))
        return nil
      }
      if mayHave(inverseName, destination) { return nil }
      throw element.error(
        "\(quoted(names[destination.index])) has no relationship \(quoted(inverseName)); "
          + suggestion(for: inverseName, among: relationshipNames(of: destination)))
    }
    guard let back = self[inverse].property.relationship else {
      throw element.error(
        "the inverse \(description(of: inverse)) is an attribute; "
          + suggestion(for: inverseName, among: relationshipNames(of: destination)))
    }
    let name = self[place].property.name
    guard self[inverse].element["inverseName"] == name else {
      let other = self[inverse].element["inverseName"].map { "names \(quoted($0))" }
      throw element.error(
        "\(description(of: place)) names the inverse \(description(of: inverse)), which "
          + "\(other ?? "names no inverse"); it should name \(quoted(name))")
    }
    guard find(name, in: back.destination) == place else {
      throw element.error(
        "\(description(of: place)) names the inverse \(description(of: inverse)), which leads to "
          + "\(quoted(names[back.destination.index])); it should lead to "
          + quoted(names[place.entity.index]))
    }
    return inverse
  }

  /// Returns the uniqueness constraints that an entity declares itself.
  mutating func uniquenessConstraints(of entity: EntityID) -> [[PropertyID]] {
    var constraints: [[PropertyID]] = []
    for constraint in declarations[entity.index].uniquenessConstraints where !constraint.isEmpty {
      var properties: [PropertyID] = []
      for element in constraint {
        do throws(InputError) {
          guard let property = try uniqueProperty(element, of: entity) else { continue }
          guard !properties.contains(property) else {
            throw element.error(
              "\(quoted(element["value"] ?? "")) is given twice in one constraint; once is enough")
          }
          properties.append(property)
        } catch {
          reading.errors.add(error)
        }
      }
      constraints.append(properties)
    }
    return constraints
  }

  /// Returns the property that an element of a constraint names, or `nil` if the property could not
  /// be read.
  private func uniqueProperty(
    _ element: ModelElement, of entity: EntityID
  ) throws(InputError) -> PropertyID? {
    guard let name = element["value"] else {
      throw element.error("a constraint without a value; it should name a property")
    }
    let place = find(name, in: entity)
    let isToMany = place.map { self[$0].property.isToMany } ?? false
    let isTransient =
      place.map { self[$0].property.isTransient } ?? isTransientRelationship(name, of: entity)
    guard !isToMany, !isTransient else {
      throw element.error(
        "\(quoted(name)) is \(isToMany ? "to-many" : "transient"), which "
          + "cannot be unique; name a stored attribute or a to-one relationship")
    }
    guard let place else {
      if mayHave(name, entity) { return nil }
      throw element.error(
        "\(quoted(names[entity.index])) has no property \(quoted(name)); "
          + suggestion(for: name, among: propertyNames(of: entity)))
    }
    return number(of: place)
  }
}
