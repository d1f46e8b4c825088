#!/bin/bash
# Checks that the library uses nothing newer than the systems that Package.swift names: macOS 13 and iOS 16.
#
# A toolchain on Linux has no SDK of Apple's, but its interfaces of the standard library say since
# when Apple's systems have what they declare. They are compiled for such a system, and the
# modules against them. The toolchain has no interface of Foundation: what threads need of it is
# declared here, and modules that use more are checked as far as they compile without it. Takes
# about a minute; needs x86-64.
set -euo pipefail
cd "$(dirname "$0")/.."
target=x86_64-apple-macosx13.0
toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")
library=$toolchain/lib/swift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
compile="swiftc -frontend -target $target -resource-dir $library -disable-objc-interop -I $folder"

for module in Swift _Concurrency _RegexParser _StringProcessing SwiftOnoneSupport; do
  # What Apple's systems have of C's functions differs.
  sed -E "s/-target [^ ]+/-target $target/; s/@backDeployed\([^)]*\)//; s/self = _stdlib_(remainder|squareRoot)l\(.*$/fatalError()/" \
    "$library/linux/$module.swiftmodule/x86_64-unknown-linux-gnu.swiftinterface" > "$folder/$module.swiftinterface"
  $compile -compile-module-from-interface "$folder/$module.swiftinterface" -module-name $module \
    $([ $module = Swift ] && echo -parse-stdlib) -disable-availability-checking \
    -o "$folder/$module.swiftmodule" 2> "$folder/errors" || { cat "$folder/errors"; exit 1; }
done

cat > "$folder/Foundation.swift" <<'END'
open class NSLock { public init() {}; open func lock() {}; open func unlock() {} }
open class DispatchSemaphore: @unchecked Sendable {
  public init(value: Int) {}
  @discardableResult open func signal() -> Int { 0 }
  open func wait() {}
}
open class Thread {
  open var stackSize = 0
  public init(block: @escaping @Sendable () -> Void) {}
  open func start() {}
}
END
$compile -emit-module -module-name Foundation -o "$folder/Foundation.swiftmodule" "$folder/Foundation.swift"

# Each module once those that it imports have been compiled.
# The folders of modules: those on the floors, and the library.
folders=$(ls -d Sources/Faultline Sources/*/*/ | grep -v '^Sources/Faultline/')
waiting=$(echo "$folders" | xargs -n1 basename)
checked="Foundation"
partly=""
while :; do
  progress=""
  for module in $waiting; do
    path=$(echo "$folders" | grep -E "/$module/?\$")
    imports=$(grep -rhoE '^ *((package|public|internal|@testable) )?import [A-Za-z]+' "$path" | awk '{print $NF}' | sort -u || true)
    for name in $imports; do
      case " $checked " in *" $name "*) ;; *) continue 2 ;; esac
    done
    $compile -emit-module -module-name "$module" -package-name faultline -swift-version 6 \
      -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault \
      -enable-upcoming-feature MemberImportVisibility \
      -o "$folder/$module.swiftmodule" $(find "$path" -name '*.swift') 2> "$folder/errors" ||
      {
        if grep "only available" "$folder/errors" | sort -u | grep .; then exit 1; fi
        partly="$partly $module"
      }
    if [ -e "$folder/$module.swiftmodule" ]; then checked="$checked $module"; fi
    waiting=$(echo "$waiting" | grep -vx "$module" || true)
    progress=1
  done
  [ -n "$progress" ] || break
done
echo "nothing newer than macOS 13 in: ${checked#Foundation }"
echo "checked in part, since they use more of Foundation:$partly"
echo "not checked:" $waiting
for module in Determinism ObjectModel Vocabulary SimulatedCoreData; do
  case " $checked $partly " in *" $module "*) ;; *) echo "$module was not checked" >&2; exit 1 ;; esac
done
