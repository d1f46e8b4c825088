// Swift Testing's overlay of AppKit: the compiler looks for a module of this name in a source that
// imports both. On Apple's platforms the overlay attaches images to tests. Here it is empty.
