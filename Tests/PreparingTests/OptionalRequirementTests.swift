import Testing

@Suite struct `Optional methods of a protocol` {
  @Test func `optional methods get bodies that do nothing, after the protocol`() throws {
    let source = try PreparedSource(
      """
      @objc(ListDelegate) public protocol ListDelegate {
        @objc optional func list(_ list: List, added item: [String: Int])
        @objc
        optional func listEnds() throws
      }
      let next = 1
      """)
    #expect(
      source.body == """
         public protocol ListDelegate: AnyObject {
            func list(_ list: List, added item: [String: Int])
          
           func listEnds() throws
        }; extension ListDelegate { public func list(_ list: List, added item: [String: Int]) {}; \
        public func listEnds() throws {} }
        let next = 1
        """)
    #expect(source.errors.isEmpty)
  }

  @Test func `optional methods are called without a question mark`() throws {
    let source = try PreparedSource(
      """
      @objc protocol ListDelegate: Named { @objc optional func list(_ list: List) }
      func tell() { (delegate as? ListDelegate)?.list?(self); handler?.other?(self); list?(self) }
      """)
    #expect(source.body.hasPrefix(" protocol ListDelegate: AnyObject, Named {"))
    #expect(
      source.body.contains(
        "(delegate as? ListDelegate)?.list(self); handler?.other?(self); list?(self)"))
  }
}
