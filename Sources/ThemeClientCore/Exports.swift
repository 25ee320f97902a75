// The library's types that are the model's and the interface's own; the rest of those modules is not stable.
@_exported public import struct ThemeInterface.ThemeConfiguration
@_exported public import struct ThemeInterface.ThemeItems
@_exported public import struct ThemeInterface.ThemeSubscriber
@_exported public import struct ThemeInterface.ThemeSummary
@_exported public import struct ThemeModel.ThemeColor
@_exported public import struct ThemeModel.ThemePalette
@_exported public import struct ThemeModel.ThemeRole
@_exported public import struct ThemeModel.ThemeRule
@_exported public import enum ThemeModel.ThemeScheme
@_exported public import struct ThemedSystem.ThemeText
