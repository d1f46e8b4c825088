import Testing

@Suite struct `@NSManaged in a prepared source` {
  private func accessors(_ key: String) -> String {
    "{ get { managed(\"\(key)\") } set { setManaged(\"\(key)\", newValue) } }"
  }

  @Test(arguments: [
    "String?", "String", "Int64", "Bool", "Set<Tag>", "Set<Tag>?", "[String: Int]?", "[Tag]",
    "Foo.Bar", "Foo.Bar<Tag>.Baz?", "NSSet!", "Dictionary<String, [Set<Int>]>", "any Shape",
    "(any Shape)?", "A & B", "(Int) -> Void", "(String, Int)?",
  ])
  func `a managed property of any type gets accessors`(type: String) throws {
    let source = try PreparedSource("@NSManaged var title: \(type)\nvar other: Int")
    #expect(source.body == " var title: \(type) \(accessors("title"))\nvar other: Int")
    #expect(source.errors.isEmpty)
  }

  @Test(arguments: [
    ("@NSManaged public var title: String?", " public var title: String? "),
    ("public @NSManaged var title: String?", "public  var title: String? "),
    ("@NSManaged private(set) var title: String", " private(set) var title: String "),
    (
      "@NSManaged public internal(set) var title: String",
      " public internal(set) var title: String "
    ),
    ("@NSManaged dynamic var title: String", "  var title: String "),
    ("@objc @NSManaged var title: String", "  var title: String "),
    ("@NSManaged @objc(text) var title: String", "  var title: String "),
    ("@NSManaged weak var title: Note?", " weak var title: Note? "),
    ("@NSManaged var `title`: String", " var `title`: String "),
    ("@NSManaged\nvar title: String", "\nvar title: String "),
    ("@NSManaged /* of a note */ var title: String", " /* of a note */ var title: String "),
  ])
  func `a managed property keeps its modifiers`(source: String, start: String) throws {
    let prepared = try PreparedSource(source)
    #expect(prepared.body == start + accessors("title"))
    #expect(prepared.errors.isEmpty)
  }

  @Test func `a rewrite leaves comments and further declarations where they are`() throws {
    let source = try PreparedSource(
      """
      @NSManaged var title: String? // the "name"
      @NSManaged var tags: Set<Tag>; @NSManaged var views: Int64
      @NSManaged var owner:
        Foo
        .Bar
      func f() {}
      """)
    #expect(
      source.body == """
         var title: String? \(accessors("title")) // the "name"
         var tags: Set<Tag> \(accessors("tags"));  var views: Int64 \(accessors("views"))
         var owner:
          Foo
          .Bar \(accessors("owner"))
        func f() {}
        """)
  }

  @Test func `a primitive property becomes untracked`() throws {
    let source = try PreparedSource(
      "@NSManaged var primitiveTitle: String?\n@NSManaged var primitives: Int64")
    let lines = source.body.split(separator: "\n")
    #expect(
      lines == [
        " var primitiveTitle: String? { get { managedPrimitive(\"title\") } "
          + "set { setManagedPrimitive(\"title\", newValue) } }",
        " var primitives: Int64 \(accessors("primitives"))",
      ])
  }

  @Test(arguments: [
    ("addToTags(_ value: Tag)", "addManaged(\"tags\", value)"),
    ("addToTags(_ values: NSSet)", "addManaged(\"tags\", values)"),
    ("addTagsObject(_ value: Tag)", "addManaged(\"tags\", value)"),
    ("addTags(_ values: Set<Tag>)", "addManaged(\"tags\", values)"),
    ("removeFromTags(_ value: Tag)", "removeManaged(\"tags\", value)"),
    ("removeTagsObject(_ value: Tag)", "removeManaged(\"tags\", value)"),
    ("removeTags(_ values: NSSet)", "removeManaged(\"tags\", values)"),
    ("insertIntoTags(_ value: Tag, at idx: Int)", "insertManaged(\"tags\", value, idx)"),
    (
      "insertIntoTags(_ values: [Tag], at indexes: NSIndexSet)",
      "insertManaged(\"tags\", values, indexes)"
    ),
    ("removeFromTags(at idx: Int)", "removeManaged(\"tags\", at: idx)"),
    (
      "replaceTags(at idx: Int, with value: Tag)",
      "replaceManaged(\"tags\", idx, value)"
    ),
  ])
  func `an accessor of a relationship gets a body`(signature: String, body: String) throws {
    let source = try PreparedSource(
      "@objc(someName:)\n@NSManaged public func \(signature)\nvar other: Int")
    #expect(source.body == "\n public func \(signature) { \(body) }\nvar other: Int")
    #expect(source.errors.isEmpty)
  }

  @Test(arguments: [
    ("@NSManaged var title = \"\"", "@NSManaged needs a type"),
    ("@NSManaged var title: String, text: String", "@NSManaged declares one property"),
    ("@NSManaged func sort(_ value: Tag)", "@NSManaged func sort is not an accessor"),
    ("@NSManaged func addToTags(value: Tag)", "@NSManaged func addToTags is not an accessor"),
    ("@NSManaged let title: String", "must precede 'var' or 'func'"),
  ])
  func `a declaration that cannot be rewritten stops the compilation at its line`(
    declaration: String, message: String
  ) throws {
    let source = try PreparedSource("class Note {\n\n  \(declaration)\n}\n")
    #expect(source.errors.count == 1)
    let error = try #require(source.errors.first)
    #expect(error.hasPrefix("3: ") && error.contains(message), "\(error)")
  }
}
