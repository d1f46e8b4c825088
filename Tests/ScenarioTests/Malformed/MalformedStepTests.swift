import Scenario
import Testing

/// Steps that read, change and save, and blocks, with errors and the messages about them.
extension `Malformed text` {
  @Test func `an error in a step has its line and a sentence`() throws {
    try expectErrors(Self.steps, atLeast: 51) { text throws(TextError) in
      _ = try Examples.parse(Examples.scenario(steps: Examples.inserts + "\n  " + text))
    }
  }

  @Test func `too many blocks in blocks are refused`() throws {
    func blocks(_ count: Int) -> String {
      let lines = (0..<count).map { String(repeating: "  ", count: $0 + 1) + "edit  perform" }
      return Examples.scenario(steps: lines.joined(separator: "\n"))
    }
    _ = try Examples.parse(blocks(32))
    #expect(
      throws: TextError(line: 60, message: "blocks are nested more than 30 levels deep")
    ) {
      try Examples.parse(blocks(100))
    }
  }

  private static let steps = #"""
    edti  save
    ! 32: step names lane 'edti'; the stack has 'view' and 'edit': did you mean 'edit'?

    edit  save now
    ! 32: unexpected 'now'; the line should end before it

    edit  svae
    ! 32: no verb 'svae': did you mean 'save'?

    edit  frobnicate n
    ! 32: no verb 'frobnicate'; Scenarios/README.md lists the verbs

    edit  batch Note
    ! 32: no verb 'batch'; those that contain it are 'batchUpdate', 'batchDelete' and \#
    'batchInsert'

    edit
    ! 32: expected a verb, but the line ends

    edit  when
    ! 32: expected a condition, but the line ends

    edit  when hasChange
    ! 32: no condition 'hasChange'; there are 'hasChanges', 'onMainThread', \#
    'offMainThread' and 'found': did you mean 'hasChanges'?

    edit  forEach
    ! 32: expected the name of a set of objects, but the line ends

    edit  forEach deleted touch
    ! 32: no set of objects 'deleted'; there are 'delivered', 'deliveredUpdates', \#
    'inserted', 'updated' and 'registered'

    edit  forEach inserted
    ! 32: expected the treatment of each object, but the line ends

    edit  forEach inserted remove
    ! 32: no treatment 'remove'; there are 'touch', 'edit', 'mark', 'refresh' and 'delete'

    edit  set edit.n.title "b"
    ! 32: 'edit' is a context, not an object; write the object's name alone

    edit  delete view.n
    ! 32: 'view' is a context, not an object; write the object's name alone

    save
    ! 32: step names no lane; write 'LANE  save', where the lane is a context

    edit  insert Noet as n
    ! 32: step inserts entity 'Noet'; the model has 'Note', 'Thing', 'Folder' and 'Tag': did \#
    you mean 'Note'?

    edit  insert Thing as x
    ! 32: 'Thing' is abstract; only concrete entities can be inserted

    edit  insert Note n
    ! 32: expected 'as' instead of 'n'

    edit  insert Folder as n
    ! 32: 'n' names a 'Note' elsewhere and cannot also name a 'Folder'; choose another \#
    name

    edit  insert Note as nil
    ! 32: 'nil' cannot be an object's name; it means no object

    edit  delete m
    ! 32: no step inserts 'm'; the steps bind 'n', 'f', 't' and 'u'

    edit  delete 5
    ! 32: expected the name of an object instead of '5'

    edit  set n.titel "x"
    ! 32: no property 'titel': did you mean 'title'?

    edit  set n
    ! 32: expected a property instead of 'n'; write 'n.PROPERTY'

    edit  set n.title
    ! 32: expected a value, but the line ends

    edit  set n.folder f
    ! 32: 'folder' is a relationship; write 'relate'

    edit  set n.tags t
    ! 32: 'tags' is a relationship; write 'replace'

    edit  set n.stamp 40000
    ! 32: 40000 does not fit integer16, which holds -32768 to 32767

    edit  relate n.title f
    ! 32: 'title' is an attribute; write 'set'

    edit  relate n.tags t
    ! 32: 'tags' leads to many objects; write 'add', 'remove' or 'replace'

    edit  relate n.folder t
    ! 32: 't' is a 'Tag'; n.folder leads to 'Folder'

    edit  add n.folder f
    ! 32: 'folder' leads to one object; write 'relate'

    edit  replace n.tags t
    ! 32: expected '[' instead of 't'

    edit  replace n.tags [t
    ! 32: expected the name of an object, but the line ends

    edit  relate n.folder veiw.f
    ! 32: reference names context 'veiw'; the stack has 'view' and 'edit': did you mean 'view'?

    edit  fetch Noet
    ! 32: step fetches entity 'Noet'; the model has 'Note', 'Thing', 'Folder' and 'Tag': did \#
    you mean 'Note'?

    edit  fetch Note wher title == "x"
    ! 32: no word 'wher': did you mean 'where'?

    edit  fetch Note where title = "x"
    ! 32: no relation '='; write ==

    edit  fetch Note where title <> "x"
    ! 32: no relation '<>'; write !=

    edit  fetch Note where title ~ "x"
    ! 32: no relation '~'; the relations are '==', '!=', '<', '<=', '>', '>=', 'BEGINSWITH', \#
    'ENDSWITH', 'CONTAINS', 'LIKE', 'IN' and 'BETWEEN'

    edit  fetch Note where tags == t
    ! 32: to-many: 'tags' has many values here; write ANY, ALL or NONE before the key path on \#
    the left, or end it with .@count

    edit  fetch Note where folder < f
    ! 32: objects can be compared with == and != only

    edit  fetch Note sort tags
    ! 32: cannot sort by to-many 'tags'

    edit  fetch Note limit x
    ! 32: expected a limit from 0 to 2147483647 instead of 'x'

    edit  fetch Note limit 1 limit 2
    ! 32: 'limit' is given twice; once is enough

    edit  object edit.n as f
    ! 32: 'f' names a 'Folder' elsewhere and cannot also name a 'Note'; choose another \#
    name

    edit  object edit.b as b
    ! 32: no step inserts 'b'; the steps bind 'n', 'f', 't' and 'u'

    edit  mergeChanges didSave edit 0
    ! 32: expected the number of a save from 1 to 2147483647 instead of '0'

    edit  mergeChanges
    ! 32: expected 'delivered', 'didSave' or 'batch', but the line ends

    edit  mergeChanges didSave edti 1
    ! 32: step names context 'edti'; the stack has 'view' and 'edit': did you mean 'edit'?

    edit  sleep -1
    ! 32: expected a number of milliseconds from 0 to 2147483647 instead of '-1'

    edit  sleep 10000000000
    ! 32: expected a number of milliseconds from 0 to 2147483647 instead of '10000000000'

    edit  save
        view  save
    ! 33: line is indented by 4 spaces; a step outside of blocks is indented by 2

    edit  save
          > x
    ! 33: misplaced transcript; write it below a step of the outermost level, \#
    indented by 4 spaces

    edit  perform
        save
          > x
    ! 34: misplaced transcript; write it below a step of the outermost level, \#
    indented by 4 spaces

    edit  perform
       save
    ! 33: line is indented by 3 spaces; a step outside of blocks is indented by 2

    edit  perform
        svae
    ! 33: no lane or verb 'svae': did you mean 'save'?

    edit  perform
        frobnicate
    ! 33: no lane or verb 'frobnicate'; the stack has 'view' and 'edit', and Scenarios/README.md \#
    lists the verbs

    edit  perform
        > x
        save
    ! 34: step follows the transcript in line 33, which ends the block of line 32; a transcript \#
    applies after the whole block, so write it below the block's last step

    # x
    ! 32: unexpected comment; only the description at the top can begin with #
    """#
}
