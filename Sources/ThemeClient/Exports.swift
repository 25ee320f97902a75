// A program that writes `import ThemeClient` gets what the calls return with it: State, ColorScheme, Override and
// their kin, Theme, Palette and Client. Three more imports in every program would tell its author nothing. Varlink's words (Call,
// Reply, JSON) stay out of its name space.
@_exported public import ThemeResolution
@_exported public import ThemedText
@_exported public import ThemeInterface
@_exported public import ThemeModel
