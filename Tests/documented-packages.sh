#!/usr/bin/env bash
# Runs tests as the documentation says, by 'swift test -c release', and compares their failures with
# the failures that the documentation shows: the first test of YourExistingTests.md, and two packages
# outside of this one, the first example of FuzzingYourCode.md and the folder that 'faultline init' writes.
#
#   Tests/documented-packages.sh .build/release/faultline
set -euo pipefail
cd "$(dirname "$0")/.."
tool=$PWD/$1
article=$PWD/Sources/Faultline/Faultline.docc/FuzzingYourCode.md
folder=.build/documented
rm -rf "$folder/NotesApp" "$folder/Notes"
mkdir -p "$folder"
ln -sfn ../.. "$folder/Faultline"
cd "$folder"

# The report of the example's test in other orders, line by line as YourExistingTests.md shows it.
examples=Faultline/Fixtures/Example
report=Faultline/Sources/Faultline/Faultline.docc/YourExistingTests.md
rm -f build/release.yaml
FAULTLINE_SCHEDULES=500 "${SWIFT:-swift}" test --package-path "$examples" --scratch-path build -c release \
  -j "${JOBS:-2}" --filter testTwoImportsAreSaved > Example.log 2>&1 && { echo "Example: its test passes"; exit 1; }
awk '/^It passes in order, and fails in other orders:/ { section = 1 }
  /^```$/ { if (section && inside) exit; inside = section; next }
  section && inside && !/^…$/' "$report" > Example.shown
[ "$(wc -l < Example.shown)" -gt 20 ]
while IFS= read -r line; do
  grep -qF -- "$line" Example.log || { echo "Example: the article shows '$line'"; exit 1; }
done < Example.shown
echo "Example: says what YourExistingTests.md shows"

# The block of Swift with this number.
block() {
  awk -v wanted="$1" '
    /^   ```swift$/ { number++; inside = 1; next }
    /^   ```$/ { inside = 0 }
    inside && number == wanted { sub(/^   /, ""); print }' "$article"
}

# Both share a build of Faultline, but not the build plan. Fails unless the build has no warning, and the
# tests fail and say this.
fails_with() {
  rm -f build/release.yaml
  if "${SWIFT:-swift}" test --package-path "$1" --scratch-path build -c release -j "${JOBS:-2}" \
    > "$1.log" 2>&1
  then
    echo "$1: its tests pass"
    return 1
  fi
  if grep "warning: " "$1.log"; then
    echo "$1: its build warns"
    return 1
  fi
  grep -q "$2" "$1.log" || { tail -40 "$1.log"; echo "$1: does not say '$2'"; return 1; }
  echo "$1: says '$2'"
}

app=NotesApp/Sources/NotesApp
mkdir -p "$app/Notes.xcdatamodeld/Notes.xcdatamodel" NotesApp/Tests/NotesAppTests
cat > "$app/Notes.xcdatamodeld/Notes.xcdatamodel/contents" <<'MODEL'
<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
    <entity name="Note" representedClassName="Note" syncable="YES" codeGenerationType="class">
        <attribute name="title" optional="YES" attributeType="String"/>
    </entity>
</model>
MODEL
: > "$app/Simulated.swift"
block 1 > NotesApp/Package.swift
block 2 > "$app/NoteLibrary.swift"
block 3 > NotesApp/Tests/NotesAppTests/ImportTests.swift
fails_with NotesApp "lost update in the store. backgroundTask"
# Line by line what the article shows of it.
awk '/^## Read a failure/ { section = 1 } /^```$/ { if (section && inside) exit; inside = section; next }
  section && inside' "$article" > NotesApp.shown
[ "$(wc -l < NotesApp.shown)" -gt 20 ]
while IFS= read -r line; do
  grep -qF -- "$line" NotesApp.log || { echo "NotesApp: the article shows '$line'"; exit 1; }
done < NotesApp.shown

mkdir Notes
{
  printf '// swift-tools-version: 6.2\nimport PackageDescription\n\nlet package = Package(\n  name: "Notes",\n'
  # The lines that it prints for the manifest.
  (cd Notes && "$tool" init Tests/NotesTests --editor) 2> /dev/null > Notes.init
  sed -n 's/^  dependencies: .*/&/p' Notes.init
  echo '  targets: ['
  sed -n '/^  \.testTarget/,/^    path: /p' Notes.init
  echo '  ])'
} > Notes/Package.swift
fails_with Notes "the stack NotesTests loses nothing.* recorded an issue"
