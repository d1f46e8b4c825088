import Determinism
import ObjectModel
import PropertyTesting
import Scenario
import Testing
import Vocabulary

@Suite struct `The text of a predicate` {
  private static let model = """
    scenario  test
    evidence  observed

    model
      Note
        title  string?
        stars  integer?
        rate  double?
        done  boolean?
        when  date?
        key  uuid?
        body  data?
        any  string?
        not  boolean?
        object  string?
        folder  Folder? inverse notes
        tags  Tag* inverse notes
      Folder
        name  string?
        parent  Folder? inverse folders
        folders  Folder* inverse parent
        notes  Note* inverse folder
      Tag
        label  string?
        notes  Note* inverse tags

    stack
      store  main
      view  mainQueue coordinator store
      edit  privateQueue parent view

    steps
      view  insert Note as n
      view  insert Folder as f
      view  insert Tag as self
    """

  private func request(_ step: String) throws(TextError) -> (Scenario, FetchRequest) {
    let scenario = try Examples.parse(Self.model + "\n  view  " + step + "\n")
    guard case .fetch(let request, as: nil)? = scenario.items.last?.step.step else {
      preconditionFailure("\(step) is no fetch")
    }
    return (scenario, request)
  }

  @Test(arguments: [
    "title BEGINSWITH[cd] \"a\"", "title ENDSWITH \"\\\"\"", "title CONTAINS[c] \"a)\"",
    "title LIKE[d] \"*?\"", "title IN {\"a\", \"b, c\", nil}", "stars IN {}",
    "stars BETWEEN {1, 5}",
    "stars <= 3", "title == nil and stars >= 3", "ANY tags.label == \"x\"",
    "ALL tags.label != \"x\"", "NONE tags == object self", "tags.@count > 2",
    "folder.notes.@sum.stars > 4", "folder.notes.@avg.rate == 0.5",
    "tags.@min.label == \"x\" or tags.@max.label != \"y\"", "stars == SELF.folder.notes.@max.stars",
    "folder.notes.@count == 1",
    "folder.parent.name == \"x\"", "tags CONTAINS object self", "object n IN SELF.folder.notes",
    "\"x\" IN SELF.tags.label", "\"x\" == SELF.title", "title == SELF.folder.name", "SELF == n",
    "SELF IN {n, edit.n}", "#any == \"x\" and #not == true", "#object == \"x\"",
    "ANY folder.notes.#any == \"x\"", "title == \"a\" or stars > 3 or not (done == true)",
    "stars > 3 and (title == \"a\" or title == \"b\")",
    "title == \"a\" or (stars > 3 and not (ANY tags.label == \"x\" or stars < 1))",
    "FALSEPREDICATE", "stars > 3 and FALSEPREDICATE sort title",
    "-3 < SELF.tags.@count and 00000000-0000-0000-0000-00000000000A == SELF.key",
  ])
  func `a predicate round-trips`(predicate: String) throws {
    let text = Self.model + "\n  view  fetch Note where " + predicate + "\n"
    let scenario = try Examples.parse(text)
    #expect(ScenarioText.print(scenario) == text)
  }

  @Test func `a predicate is read as it is written`() throws {
    let (_, request) = try request(
      "fetch Note where stars > 3 AND ANY folder.notes.title CONTAINS[c] \"x\" && not done == true")
    #expect(
      request.predicate == [
        Comparison(property: PropertyID(1), relation: .greater, operand: .value(.integer(3)))
      ])
    guard case .and(let parts)? = request.tree, parts.count == 2,
      case .comparison(.path(let path), .contains, .value(.string), let options, .any) = parts[0],
      case .not(.comparison(.path([PropertyID(3)]), .equal, .value(.boolean(true)), [], nil)) =
        parts[1]
    else {
      Issue.record("\(String(describing: request.tree))")
      return
    }
    #expect(path == [PropertyID(10), PropertyID(3), PropertyID(0)])
    #expect(options == .caseInsensitive)
  }

  @Test(arguments: [
    ("titel == \"x\"", "no property 'titel': did you mean 'title'?"),
    (
      "tags.label == \"x\"",
      "to-many: 'label' has many values here; write ANY, ALL or NONE before the key path on the "
        + "left, or end it with .@count"
    ),
    ("ANY title == \"x\"", "'title' is one value; ANY is for to-many relationships"),
    ("stars == \"x\"", "'\"x\"' is not of type integer; write a whole number such as 42 or nil"),
    ("stars BEGINSWITH \"x\"", "BEGINSWITH compares strings, and this value is not a string"),
    ("stars ==[c] 3", "[c] and [d] apply to strings, and this value is not a string"),
    ("title ==[x] \"a\"", "'==[x' has unknown options; write [c], [d] or [cd]"),
    (
      "title.length == 3",
      "'title' is an attribute; a key path continues only through relationships"
    ),
    ("folder.@count == 1", "'folder' is not to-many; @count counts members"),
    (
      "tags.@size == 1",
      "no function '@size' in a predicate; there are @count, @sum, @min, @max and @avg"
    ),
    ("tags.@max == 1", "expected '.' instead of '=='"),
    ("folder.@max.name == \"x\"", "@max is for the members of a to-many relationship"),
    (
      "tags.@sum.label == 1",
      "@sum takes an attribute of the members; functions that add up take numbers"
    ),
    ("stars BETWEEN {1}", "BETWEEN needs two values, the smallest and the largest: {1, 5}"),
    ("stars IN 3", "expected '{' instead of '3'"),
    ("stars IN (3, 4)", "write a list of values in braces: {1, 5}"),
    ("folder == NULL", "no 'NULL' in a predicate; write nil"),
    ("!(stars > 3)", "no '!' in a predicate; write not"),
    ("SOME tags.label == \"x\"", "no 'SOME' in a predicate; write ANY"),
    (
      "SUBQUERY(tags, $t, $t.label == \"x\").@count > 0",
      "SUBQUERY is available only in code; write ANY, ALL or NONE before a key path"
    ),
    (
      "title BEGINSWITH [c] \"a\"",
      "options follow a relation directly: write BEGINSWITH[cd], without a space"
    ),
    ("(stars > 3", "expected ')', but the line ends"),
    ("folder < f", "objects can be compared with == and != only"),
    (
      "title == SELF.folder",
      "'folder' cannot be compared here: one side is an object, the other a value"
    ),
    (
      "title MATCHES \"x\"",
      "MATCHES is available only in code, because no fact describes it for stores; use LIKE with * and ?"
    ),
  ])
  func `a wrong predicate is refused with the correction`(predicate: String, message: String) {
    #expect(throws: TextError(line: 36, message: message)) {
      try request("fetch Note where " + predicate)
    }
  }

  @Test func `any predicate is read as it was printed`() throws {
    var differences = 0
    let (base, plain) = try request("fetch Note")
    var kinds: Set<String> = []
    for seed in 1...3000 {
      var choices = Choices(seed: UInt64(seed))
      var scenario = base
      var request = plain
      var trees = RandomTrees(model: base.model)
      let tree = trees.tree(of: request.entity, depth: 3, &choices)
      (request.predicate, request.tree) = tree.split
      scenario.items[scenario.items.count - 1].step.step = .fetch(request)
      let text = ScenarioText.print(scenario)
      let read = try? Examples.parse(text)
      if read != scenario {
        differences += 1
        if differences < 4 { Issue.record("\(text.split(separator: "\n").last ?? "")") }
      }
      for relation in PredicateTree.Relation.allCases
      where text.contains(" \(relation.rawValue)") {
        kinds.insert(relation.rawValue)
      }
    }
    #expect(differences == 0)
    #expect(kinds.count == PredicateTree.Relation.allCases.count, "all relations are drawn")
  }
}

/// Draws predicates that are valid for a model.
private struct RandomTrees {
  let model: ObjectModel

  mutating func tree(
    of entity: EntityID, depth: Int, _ choices: inout Choices
  ) -> PredicateTree {
    let kind = depth == 0 ? 0 : choices.draw(below: 7, from: .workload)
    func parts() -> Int { 1 + choices.draw(below: 3, from: .workload) }
    switch kind {
    case 4: return .and((0..<parts()).map { _ in tree(of: entity, depth: depth - 1, &choices) })
    case 5: return .or((0..<parts()).map { _ in tree(of: entity, depth: depth - 1, &choices) })
    case 6: return .not(tree(of: entity, depth: depth - 1, &choices))
    default:
      if choices.chance(1, in: 20, from: .workload) {
        return .constant(choices.boolean(from: .workload))
      }
      return comparison(of: entity, &choices)
    }
  }

  private mutating func comparison(
    of entity: EntityID, _ choices: inout Choices
  ) -> PredicateTree {
    let path = path(of: entity, &choices)
    guard let end = model.end(of: path, from: entity) else { preconditionFailure("no path") }
    if end.property.isToMany, choices.boolean(from: .workload) {
      let number = PredicateTree.Term.value(
        .integer(Int64(choices.draw(below: 5, from: .workload))))
      return .comparison(.count(path), .lessOrEqual, number, [], nil)
    }
    let isText = end.property.attribute?.type == .string
    var relations: [PredicateTree.Relation] = [.equal, .notEqual, .isIn]
    if end.property.attribute != nil { relations += [.less, .lessOrEqual, .greater, .between] }
    if end.property.attribute != nil { relations += [.greaterOrEqual] }
    if isText { relations += [.beginsWith, .endsWith, .contains, .like] }
    let relation = choices.pick(relations, from: .workload)
    let options = PredicateTree.Options(
      rawValue: isText ? UInt8(choices.draw(below: 4, from: .workload)) : 0)
    let modifier =
      end.isMany ? choices.pick(PredicateTree.Modifier.allCases, from: .workload) : nil
    let right: PredicateTree.Term
    switch relation {
    case .between: right = .list((0..<2).map { _ in operand(end.property, &choices) })
    case .isIn:
      let count = choices.draw(below: 4, from: .workload)
      right = .list((0..<count).map { _ in operand(end.property, &choices) })
    default: right = operand(end.property, &choices)
    }
    // A literal may stand on the left of a path.
    if !end.isMany, relation != .isIn, relation != .between,
      choices.chance(1, in: 5, from: .workload)
    {
      return .comparison(right, relation, .path(path), options, nil)
    }
    return .comparison(.path(path), relation, right, options, modifier)
  }

  private func path(of start: EntityID, _ choices: inout Choices) -> [PropertyID] {
    var path: [PropertyID] = []
    var entity = start
    repeat {
      let key = PropertyID(choices.draw(below: model[entity].properties.count, from: .workload))
      path.append(key)
      guard model[entity][key].relationship != nil else { break }
      entity = model.destination(of: key, from: entity)
    } while path.count < 3 && choices.boolean(from: .workload)
    return path
  }

  private func operand(_ property: Property, _ choices: inout Choices) -> PredicateTree.Term {
    if choices.chance(1, in: 6, from: .workload) { return .value(.null) }
    guard let attribute = property.attribute else {
      let name = [ObjectName(0), ObjectName(1), ObjectName(2)]
      let context = ContextID(choices.draw(below: 2, from: .workload))
      return .object(HeldInstance(context, choices.pick(name, from: .workload)))
    }
    return .value(attribute.value(numbered: 1 + choices.draw(below: 9, from: .workload)))
  }
}
