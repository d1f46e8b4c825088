#!/usr/bin/env bash
# Compares another implementation of Core Data with Faultline: builds a checkout of it with its adapter
# in .build/others, and gives it the scenarios and the generated programs that it supports. Needs what
# Tests/OTHERS.md names. Exit code 1 if it differs in a way that Tests/Others does not list.
#
#   Tests/others.sh FreeCoreData CHECKOUT [--seeds N] [options of OtherImplementations]
#   Tests/others.sh MIOCoreData CHECKOUT MIOCORE SWIFTLOG [options]
set -euo pipefail
cd "$(dirname "$0")/.."
usage() {
  sed -n '2,7s/^# \{0,1\}//p' Tests/others.sh >&2
  exit 2
}
[ $# -ge 2 ] || usage
name=$1 checkout=$(cd "$2" && pwd)
shift 2
root=$PWD
build=$root/.build/others/$name
adapters=Tests/Others/Adapters
common=("$adapters"/Answer.swift "$adapters"/AdapterLoop.swift "$adapters"/Implementation.swift)
mkdir -p "$build"

# With the runtime and the base library of Debian's packages gobjc and libgnustep-base-dev.
build_FreeCoreData() {
  local clang flags source
  clang=$(dirname "$(readlink -f "$(command -v swiftc)")")/clang
  flags=(-fobjc-runtime=gcc -fobjc-exceptions -fexceptions -fno-objc-arc -fPIC -O1 -w
    -fconstant-string-class=NSConstantString -DGNUSTEP -DGNUSTEP_BASE_LIBRARY=1 -DGNU_RUNTIME=1
    -D_NATIVE_OBJC_EXCEPTIONS "-I$checkout" -I/usr/include/GNUstep
    -idirafter "$(dirname "$(dirname "$(find /usr/lib/gcc -name objc.h | head -n 1)")")")
  for source in "$checkout"/CoreData/*.m; do
    "$clang" "${flags[@]}" -c "$source" -o "$build/$(basename "$source" .m).o"
  done
  local runtime base
  runtime=$(find /usr/lib -name 'libobjc.so.4' | head -n 1)
  base=$(find /usr/lib -name 'libgnustep-base.so' | head -n 1)
  "$clang" -shared -o "$build/libCoreData.so" "$build"/*.o "$base" "$runtime" -lsqlite3
  export OTHERS_LIBRARIES=$runtime:$base:$build/libCoreData.so
  # Its SQLite store compares no versions.
  export OTHERS_STORE_TYPE=${OTHERS_STORE_TYPE:-NSInMemoryStoreType}
  swiftc -O -swift-version 6 -parse-as-library -o "$build/adapter" "${common[@]}" \
    "$adapters"/ObjectiveC.swift "$adapters"/FreeCoreData*.swift
}

# With its dependencies, which its package would fetch: MIOCore and swift-log.
build_MIOCoreData() {
  local core logging
  core=$(cd "$1" && pwd) logging=$(cd "$2" && pwd)
  module() {
    local module=$1 folder=$2
    shift 2
    find "$folder" -name '*.swift' -print0 | xargs -0 swiftc -O -swift-version 5 -suppress-warnings \
      -parse-as-library -emit-module -emit-library -static -I "$build" -module-name "$module" "$@" \
      -emit-module-path "$build/$module.swiftmodule" -o "$build/lib$module.a"
  }
  module Logging "$logging/Sources/Logging" -package-name log
  module MIOCore "$core/Sources/MIOCore"
  module MIOCoreLogger "$core/Sources/MIOCoreLogger"
  module CoreDataSwift "$checkout/Sources/CoreDataSwift" -enable-testing
  swiftc -O -swift-version 5 -parse-as-library -I "$build" -L "$build" -o "$build/adapter" \
    "${common[@]}" "$adapters"/RowStore.swift "$adapters"/MIOCoreDataAdapter.swift \
    -lCoreDataSwift -lMIOCoreLogger -lMIOCore -lLogging
}

case $name in
  MIOCoreData)
    [ $# -ge 2 ] || usage
    build_MIOCoreData "$1" "$2"
    shift 2
    ;;
  FreeCoreData) build_FreeCoreData ;;
  *) usage ;;
esac

stores=$(mktemp -d)
trap 'rm -rf "$stores"' EXIT
export OTHERS_STORES=$stores
swift build -c release -j "${JOBS:-2}" --product OtherImplementations --quiet
programs=(--model Tests/Others/Models/Notes.model --model Tests/Others/Models/Staff.model Scenarios)
for word in "$@"; do
  case $word in --model | *.scenario) programs=() ;; esac
done
.build/release/OtherImplementations --adapter "$build/adapter" --known "Tests/Others/$name.txt" \
  "${programs[@]}" "$@"
