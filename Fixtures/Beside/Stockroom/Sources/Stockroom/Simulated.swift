// The other sources of this folder are prepared: see Package.swift.
