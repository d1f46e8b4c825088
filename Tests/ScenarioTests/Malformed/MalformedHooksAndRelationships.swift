/// Models with wrong hooks or relationships, and the messages about them.
extension `Malformed text` {
  static let moreModels = #"""
    A
      b  B?
      awakeFromFetch  b = insert
    B
    ! 3: awakeFromFetch can set attributes only; awakeFromInsert can insert objects

    A
      b  B?
      awakeFromInsert  b = next
    B
    ! 3: 'next' is not an object; write insert, which creates one

    A
      b  B?
      awakeFromInsert  b = insert
    abstract B
    ! 3: 'B' is abstract; only concrete entities can be inserted

    A
      b  B?
      awakeFromInsert  b = insert
    B
      a  A?
      awakeFromInsert  a = insert
    ! 1: awakeFromInsert of 'A' inserts objects endlessly; a chain of inserts must not return \#
    to its entity

    A
      b  string? = "x
    ! 2: text has no end; close it with "

    A
      b  string? = "\q"
    ! 2: text has an unknown escape; write \", \\, \n or \r

    A
      b  string? = x
    ! 2: 'x' is not of type string; write "text" or nil

    A
      b  integer16 = 32768
    ! 2: 32768 does not fit integer16, which holds -32768 to 32767

    A
      b  integer = 9223372036854775808
    ! 2: 9223372036854775808 does not fit integer, which holds -9223372036854775808 to \#
    9223372036854775807

    A
      b  integer = x
    ! 2: 'x' is not of type integer; write a whole number such as 42 or nil

    A
      b  double = nan
    ! 2: 'nan' is not of type double; write a number such as 1.5 or nil

    A
      b  double = 1e999
    ! 2: 1e999 does not fit double; it is too large

    A
      b  float = 1e39
    ! 2: 1e39 does not fit float; it is too large

    A
      b  decimal = 1.
    ! 2: '1.' is not of type decimal; write a number such as 12.50 or nil

    A
      b  decimal = 99999999999999999999
    ! 2: 99999999999999999999 does not fit decimal; it has too many digits

    A
      b  boolean = 1
    ! 2: '1' is not of type boolean; write true, false or nil

    A
      b  date = 2001-02-29T00:00:00Z
    ! 2: '2001-02-29T00:00:00Z' is not a date; write @123, 2001-01-01T00:02:03Z or nil

    A
      b  date = @x
    ! 2: '@x' is not a date; write @ and a number of seconds

    A
      b  uuid = 1
    ! 2: '1' is not of type uuid; write 00000000-0000-0000-0000-000000000001 or nil

    A
      b  data = "x"
    ! 2: '"x"' is not of type data; write <text> or nil

    A
      b  string = "s2147483648"
    ! 2: text 's2147483648' looks like a generated text; these end at s2147483647

    A
      b  boolean min 1
    ! 2: boolean has no min and max; only numbers, dates and strings have

    A
      b  integer min 3 max 2
    ! 2: min is more than max; no value could be saved

    A
      b  integer min nil
    ! 2: a limit cannot be nil; leave it out

    A
      b  string min -1
    ! 2: expected a length from 0 to 2147483647 instead of '-1'

    A
      b  string min 1 min 2
    ! 2: 'min' is given twice; once is enough

    A
      b  string mni 1
    ! 2: no word 'mni'; an attribute can have '=', 'min', 'max', 'not' and 'transient': did you \#
    mean 'min'?

    A
      b  string ordered
    ! 2: no word 'ordered'; an attribute can have '=', 'min', 'max', 'not' and 'transient'

    A
      b  A? max 3
    ! 2: a to-one relationship cannot have 'max'; write * or + for to-many

    A
      b  A ordered
    ! 2: a to-one relationship cannot have 'ordered'; write * or + for to-many

    A
      b  A* min 3 max 2
    ! 2: min is more than max; nothing could be saved

    A
      b  A* cascade deny
    ! 2: 'deny' is a second delete rule; one is enough

    A
      b  A* casacde
    ! 2: no word 'casacde'; a relationship can have 'ordered', 'inverse', 'noAction', \#
    'nullify', 'cascade', 'deny', 'min' and 'max': did you mean 'cascade'?

    A
      b  A? inverse c
    ! 2: no inverse 'c'; the relationships of 'A' are 'b'

    A
      b  A? inverse c
      c  string
    ! 2: the inverse of A.b cannot be A.c, which is an attribute

    A
      b  B? inverse c
    B
      c  B?
    ! 2: the inverse of A.b cannot be B.c, which leads to 'B' and not to 'A'

    A
      b  B? inverse c
    B
      c  A?
    ! 2: A.b names B.c as its inverse, which has no inverse; write 'inverse b' there

    A
      b  B? inverse c
    B
      c  A? inverse d
    C
    ! 2: A.b names B.c as its inverse, whose own inverse is 'd'
    ! 4: no inverse 'd'; the relationships of 'A' are 'b'

    A
      b  B? inverse c
      d  B? inverse c
    B
      c  A? inverse d
    ! 2: A.b names B.c as its inverse, whose own inverse is 'd'

    A
      b  C? inverse c
    B
      c  A? inverse b
    C : B
    ! 2: the inverse of A.b cannot be B.c, which is inherited; let A.b lead to 'B'
    ! 4: the inverse of B.c cannot be A.b, which leads to 'C' and not to 'B'

    A
      a  string
    B : A
      a  date
    ! 4: 'B' has two properties named 'a', inherited ones included

    A
      a string = = 3
    ! 2: '=' is not of type string; write "text" or nil

    A
      a  A? inverse
    ! 2: expected the name of the inverse, but the line ends
    """#
}
