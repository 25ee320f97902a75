// The least that a Swift program can be.
