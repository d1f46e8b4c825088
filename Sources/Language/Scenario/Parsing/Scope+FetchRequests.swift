import ObjectModel
import Prose
import Vocabulary

/// The keywords of a fetch request.
enum RequestKeyword: String, CaseIterable {
  case `where`, sort, offset, limit
  /// Sets `includesPendingChanges` to false.
  case savedState
  /// Sets `returnsObjectsAsFaults` to false.
  case realised
  /// Sets `includesSubentities` to false.
  case withoutSubentities
  /// Sets `shouldRefreshRefetchedObjects` to true.
  case refreshing
  /// Sets `affectedStores`.
  case stores
  /// Sets the result type to object IDs, a count or dictionaries.
  case ids, counting, dictionaries
  /// Sets `propertiesToGroupBy` and `returnsDistinctResults` for dictionaries.
  case group, distinct
  /// Ends the request, and precedes the step's name for the first result.
  case `as`

  /// Returns the spelling of a property's name in a list. A name that equals a keyword gets a `+`.
  static func spelling(of name: String) -> String {
    RequestKeyword(rawValue: name) == nil && name != Aggregate.Function.count.rawValue
      ? name : "+" + name
  }
}

extension Scope {
  /// Reads a fetch request, such as
  /// `Note where title == "x" and folder == f sort title -stamp offset 1 limit 2 realised`.
  mutating func fetchRequest(_ line: inout LineReader, _ lane: ContextID) throws(TextError)
    -> FetchRequest
  {
    let name = try line.identifier("the name of an entity")
    var request = FetchRequest(entity: try entity(name, "step fetches", line))
    var seen: [RequestKeyword] = []
    while !line.isAtEnd {
      if line.nextWord == RequestKeyword.as.rawValue { break }
      let word = line.word()
      guard let keyword = RequestKeyword(rawValue: word) else {
        throw line.error(
          unknown(
            "no word", word, "a request can have", RequestKeyword.allCases.map(\.rawValue)))
      }
      if seen.contains(keyword) { throw line.error("'\(word)' is given twice; once is enough") }
      seen.append(keyword)
      try read(keyword, into: &request, &line, lane)
    }
    try checkSummary(request, line)
    return request
  }

  private mutating func read(
    _ keyword: RequestKeyword, into request: inout FetchRequest, _ line: inout LineReader,
    _ lane: ContextID
  ) throws(TextError) {
    switch keyword {
    case .where:
      (request.predicate, request.tree) = try predicate(&line, request.entity, lane).split
    case .sort:
      repeat {
        request.sortDescriptors.append(try sortDescriptor(&line, request.entity))
        if line.takes(",") {
          throw line.error("write sort descriptors without commas, as in sort title -stamp")
        }
      } while !line.isAtEnd && RequestKeyword(rawValue: line.nextWord) == nil
    case .offset: request.fetchOffset = try line.count("an offset")
    case .limit: request.fetchLimit = try line.count("a limit")
    case .savedState: request.includesPendingChanges = false
    case .realised: request.returnsObjectsAsFaults = false
    case .withoutSubentities: request.includesSubentities = false
    case .refreshing: request.shouldRefreshRefetchedObjects = true
    case .stores: request.affectedStores = try affectedStores(&line)
    case .ids: try setResultType(.managedObjectID, of: &request, line)
    case .counting: try setResultType(.count, of: &request, line)
    case .dictionaries:
      try setResultType(.dictionary, of: &request, line)
      (request.propertiesToFetch, request.aggregates) = try columns(&line, request.entity)
    case .group:
      request.propertiesToGroupBy = try properties(&line, request.entity)
      if request.propertiesToGroupBy.isEmpty {
        throw line.missing("a property of '\(model[request.entity].name)' to group by")
      }
    case .distinct: request.returnsDistinctResults = true
    case .as: preconditionFailure("'as' ends a request")
    }
  }

  private func setResultType(
    _ type: FetchRequest.ResultType, of request: inout FetchRequest, _ line: LineReader
  ) throws(TextError) {
    guard request.resultType == .managedObject else {
      throw line.error(
        "a request has one result type; choose one of 'ids', 'counting' and 'dictionaries'")
    }
    request.resultType = type
  }

  private func affectedStores(_ line: inout LineReader) throws(TextError) -> [StoreID] {
    var stores: [StoreID] = []
    repeat {
      _ = line.takes("+")
      let store = try store(&line)
      if stores.contains(store) {
        throw line.error("store '\(stack.stores[store.index].name)' is given twice")
      }
      stores.append(store)
    } while !line.isAtEnd && RequestKeyword(rawValue: line.nextWord) == nil
    return stores
  }

  /// Reads a batch request: `Note {title: "x"} where stars > 3` for an update,
  /// `Note where stars > 3` for a deletion, and `Note {title: "a"} {title: "b"}` for insertions.
  mutating func batchRequest(
    _ verb: Verb, _ line: inout LineReader, _ lane: ContextID
  ) throws(TextError) -> BatchRequest {
    let name = try line.identifier("the name of an entity")
    let entity = try entity(name, "request is for", line)
    if verb == .batchInsert {
      if model[entity].isAbstract {
        throw line.error("'\(name)' is abstract; only concrete entities can be inserted")
      }
      var rows: [[PropertyValue]] = []
      repeat { rows.append(try record(&line, entity)) } while !line.isAtEnd
      return BatchRequest(entity: entity, kind: .insert(rows))
    }
    var request = BatchRequest(entity: entity, kind: .delete)
    if verb == .batchUpdate { request.kind = .update(try record(&line, entity)) }
    if line.takes(keyword: RequestKeyword.where.rawValue) {
      (request.predicate, request.tree) = try predicate(&line, entity, lane).split
    }
    return request
  }

  /// Reads attribute values, such as `{title: "x", stars: 3}`.
  private mutating func record(
    _ line: inout LineReader, _ entity: EntityID
  ) throws(TextError) -> [PropertyValue] {
    try line.expect("{")
    var values: [PropertyValue] = []
    if line.takes("}") { return [] }
    repeat {
      let property = try line.property(of: model[entity])
      guard let attribute = model[entity][property].attribute, !attribute.isTransient else {
        throw line.error(
          "a batch request sets stored attributes; '\(model[entity][property].name)' is not stored")
      }
      if values.contains(where: { $0.property == property }) {
        throw line.error("'\(model[entity][property].name)' is given twice; once is enough")
      }
      try line.expect(":")
      values.append(PropertyValue(property, try line.literal(attribute.type, &model.symbols)))
    } while line.takes(",")
    try line.expect("}")
    return values
  }

  /// Reads a sort descriptor, such as `title`, `-title` or `folder.name`. A property whose name
  /// equals a keyword needs a `+`.
  private func sortDescriptor(_ line: inout LineReader, _ entity: EntityID) throws(TextError)
    -> FetchRequest.SortDescriptor
  {
    if ["ASC", "DESC"].contains(line.nextWord.uppercased()),
      model[entity].property(named: line.nextWord) == nil
    {
      throw line.error(
        "no '\(line.nextWord)' in a sort: -title sorts by title in descending order, title ascending"
      )
    }
    let ascending = !line.takes("-")
    if ascending { _ = line.takes("+") }
    var (path, owner): ([PropertyID], EntityID) = ([], entity)
    repeat {
      let key = try line.property(of: model[owner])
      let property = model[owner][key]
      if property.isToMany { throw line.error("cannot sort by to-many '\(property.name)'") }
      path.append(key)
      owner = model.destination(of: key, from: owner)
      guard line.takesDirectly(".") else { break }
      if property.relationship == nil {
        throw line.error(
          "'\(property.name)' is an attribute; a key path continues only through to-one relationships"
        )
      }
    } while true
    return FetchRequest.SortDescriptor(
      property: path[0], furtherKeys: Array(path.dropFirst()), ascending: ascending)
  }
}
