# Reads what callgrind has written and prints, by module of Faultline, how many instructions it
# spends. What the runtime, the standard library and the C library do counts for the module that
# asked for it: a function without a module passes its instructions on to its callers, in proportion
# to what it cost each of them.
#
# awk -v modules="Determinism …" -f Tests/modules.awk callgrind.out

function name(text,   id) {
  id = text
  sub(/ .*/, "", id)
  if (index(text, " ")) names[id] = substr(text, index(text, " ") + 1)
  return id
}

/^fn=/ { current = name(substr($0, 4)); next }
/^cfn=/ { callee = name(substr($0, 5)); next }
/^calls=/ { isCall = 1; next }
/^[0-9+*-]/ {
  if (isCall) {
    if (current != callee) edges[current, callee] += $2
    isCall = 0
  } else {
    own[current] += $2
  }
}

# The module of a function, by its mangled name: "$s", the length of the module's name, the name.
# Copies and destructions of a value are written for its type, and done for the caller.
function module(mangled,   length_, rest) {
  if (mangled !~ /^\$s[0-9]/ || mangled ~ /(WO[a-zA-Z]|w[a-z][a-z])('[0-9]+)?$/) return ""
  rest = substr(mangled, 3)
  length_ = rest + 0
  rest = substr(rest, length(length_ "") + 1, length_)
  return rest in known ? rest : ""
}

BEGIN {
  count = split(modules, list, " ")
  for (i = 1; i <= count; i++) known[list[i]] = 1
}

END {
  for (id in names) {
    owner[id] = module(names[id])
    if (owner[id] == "" && id in own) passing[id] = own[id]
  }
  for (edge in edges) {
    split(edge, pair, SUBSEP)
    if (owner[pair[2]] == "") asked[pair[2]] += edges[edge]
  }
  for (id in own) if (owner[id] != "") spent[owner[id]] += own[id]
  # Each round passes instructions one call up; what goes round in recursion gets less each time.
  for (round = 0; round < 60; round++) {
    delete next_
    for (edge in edges) {
      split(edge, pair, SUBSEP)
      if (!(pair[2] in passing) || asked[pair[2]] == 0) continue
      share = passing[pair[2]] * edges[edge] / asked[pair[2]]
      if (owner[pair[1]] != "") spent[owner[pair[1]]] += share
      else next_[pair[1]] += share
    }
    for (id in passing) if (asked[id] == 0) rest += passing[id]
    delete passing
    for (id in next_) passing[id] = next_[id]
  }
  for (id in passing) rest += passing[id]
  for (i = 1; i <= count; i++) printf "%s %.0f\n", list[i], spent[list[i]]
  printf "rest %.0f\n", rest
}
