// Swift Testing's own overlay of AppKit: the compiler looks for a module of this name in a source that
// imports both. It attaches images to tests on Apple's platforms, and is empty here.
