// The types, blocking calls and sources for event loops are a separate module for programs without tasks. Importing
// this module imports that one too.
@_exported public import ThemeClientCore
