// Types, calls that wait, and sources for loops are a module of their own, for programs without tasks: who imports this
// one has all of them.
@_exported public import ThemeClientCore
