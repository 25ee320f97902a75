import Testing
import ThemedModel
import ThemedSystem

/// A well-known public scheme of base16: its colours, for what is derived from them.
struct PublicScheme: Sendable, CustomTestStringConvertible {
  let name: String
  let side: ColorScheme
  /// The slots.
  let colors: [Role: Color]

  /// A scheme of these sixteen colours, in the order of the slots.
  private init(_ name: String, _ side: ColorScheme, _ colors: Text) {
    self.name = name
    self.side = side
    self.colors = Dictionary(
      uniqueKeysWithValues: zip(Role.base16Slots, colors.split(" ").compactMap(Color.init(hexadecimal:))))
  }

  var testDescription: String { name }

  /// Famous ones, and those that are odd: text or signs that are hard to read, comments brighter than text, surfaces in
  /// colours of their own.
  static let all: [PublicScheme] = [
    PublicScheme(
      "onedark", .dark,
      "282c34 353b45 3e4451 545862 565c64 abb2bf b6bdca c8ccd4 e06c75 d19a66 e5c07b 98c379 56b6c2 61afef c678dd be5046"),
    PublicScheme(
      "catppuccin-latte", .light,
      "eff1f5 e6e9ef ccd0da bcc0cc acb0be 4c4f69 dc8a78 7287fd d20f39 fe640b df8e1d 40a02b 179299 1e66f5 8839ef dd7878"),
    PublicScheme(
      "catppuccin-mocha", .dark,
      "1e1e2e 181825 313244 45475a 585b70 cdd6f4 f5e0dc b4befe f38ba8 fab387 f9e2af a6e3a1 94e2d5 89b4fa cba6f7 f2cdcd"),
    PublicScheme(
      "tokyo-night-dark", .dark,
      "1a1b26 16161e 2f3549 444b6a 787c99 a9b1d6 cbccd1 d5d6db c0caf5 a9b1d6 0db9d7 9ece6a b4f9f8 2ac3de bb9af7 f7768e"),
    PublicScheme(
      "tokyo-night-light", .light,
      "d5d6db cbccd1 dfe0e5 9699a3 4c505e 343b59 1a1b26 1a1b26 343b58 965027 166775 485e30 3e6968 34548a 5a4a78 8c4351"),
    PublicScheme(
      "tokyo-night-moon", .dark,
      "222436 1e2030 2d3f76 636da6 828bb8 3b4261 828bb8 c8d3f5 ff757f ffc777 ffc777 c3e88d 86e1fc 82aaff fca7ea c53b53"),
    PublicScheme(
      "solarized-dark", .dark,
      "002b36 073642 586e75 657b83 839496 93a1a1 eee8d5 fdf6e3 dc322f cb4b16 b58900 859900 2aa198 268bd2 6c71c4 d33682"),
    PublicScheme(
      "solarized-light", .light,
      "fdf6e3 eee8d5 93a1a1 839496 657b83 586e75 073642 002b36 dc322f cb4b16 b58900 859900 2aa198 268bd2 6c71c4 d33682"),
    PublicScheme(
      "gruvbox-dark-hard", .dark,
      "1d2021 3c3836 504945 665c54 bdae93 d5c4a1 ebdbb2 fbf1c7 fb4934 fe8019 fabd2f b8bb26 8ec07c 83a598 d3869b d65d0e"),
    PublicScheme(
      "gruvbox-light-hard", .light,
      "f9f5d7 ebdbb2 d5c4a1 bdae93 665c54 504945 3c3836 282828 9d0006 af3a03 b57614 79740e 427b58 076678 8f3f71 d65d0e"),
    PublicScheme(
      "nord", .dark,
      "2e3440 3b4252 434c5e 4c566a d8dee9 e5e9f0 eceff4 8fbcbb bf616a d08770 ebcb8b a3be8c 88c0d0 81a1c1 b48ead 5e81ac"),
    PublicScheme(
      "dracula", .dark,
      "282a36 363447 44475a 6272a4 9ea8c7 f8f8f2 f0f1f4 ffffff ff5555 ffb86c f1fa8c 50fa7b 8be9fd 80bfff ff79c6 bd93f9"),
    PublicScheme(
      "monokai", .dark,
      "272822 383830 49483e 75715e a59f85 f8f8f2 f5f4f1 f9f8f5 f92672 fd971f f4bf75 a6e22e a1efe4 66d9ef ae81ff cc6633"),
    PublicScheme(
      "pandora", .dark,
      "131213 2f1823 472234 ffbee3 9b2a46 f15c99 81506a 632227 b00b69 ff9153 ffcc00 9ddf69 714ca6 008080 a24030 a24030"),
    PublicScheme(
      "blueforest", .dark,
      "141f2e 1e5c1e 273e5c a0ffa0 1e5c1e ffcc33 91ccff 375780 fffab1 ff8080 91ccff 80ff80 80ff80 a2cff5 0099ff e7e7e7"),
    PublicScheme(
      "oxocarbon-light", .light,
      "f2f4f8 dde1e6 525252 161616 262626 393939 525252 08bdba ff7eb6 ee5396 ff6f00 0f62fe 673ab7 42be65 be95ff 37474f"),
    PublicScheme(
      "brogrammer", .dark,
      "1f1f1f f81118 2dc55e ecba0f 2a84d2 4e5ab7 1081d6 d6dbe5 d6dbe5 de352e 1dd361 f3bd09 1081d6 5350b9 0f7ddb ffffff"),
    PublicScheme(
      "material-lighter", .light,
      "fafafa e7eaec cceae7 ccd7da 8796b0 80cbc4 80cbc4 ffffff ff5370 f76d47 ffb62c 91b859 39adb5 6182b8 7c4dff e53935"),
    PublicScheme(
      "ayu-light", .light,
      "fafafa f3f4f5 f8f9fa abb0b6 828c99 5c6773 242936 1a1f29 f07178 fa8d3e f2ae49 86b300 4cbf99 36a3d9 a37acc e6ba7e"),
    PublicScheme(
      "rose-pine-dawn", .light,
      "faf4ed fffaf3 f2e9de 9893a5 797593 575279 575279 cecacd b4637a ea9d34 d7827e 286983 56949f 907aa9 ea9d34 cecacd"),
    PublicScheme(
      "papercolor-light", .light,
      "eeeeee af0000 008700 5f8700 0087af 444444 005f87 878787 bcbcbc d70000 d70087 8700af d75f00 d75f00 005faf 005f87"),
    PublicScheme(
      "zenbones", .dark,
      "191919 de6e7c 819b69 b77e64 6099c0 b279a7 66a5ad bbbbbb 3d3839 e8838f 8bae68 d68c67 61abda cf86c1 65b8c1 8e8e8e"),
    PublicScheme(
      "darcula", .dark,
      "2b2b2b 323232 323232 606366 a4a3a3 a9b7c6 ffc66d ffffff 4eade5 689757 bbb529 6a8759 629755 9876aa cc7832 808080"),
    PublicScheme(
      "tomorrow-night", .dark,
      "1d1f21 282a2e 373b41 969896 b4b7b4 c5c8c6 e0e0e0 ffffff cc6666 de935f f0c674 b5bd68 8abeb7 81a2be b294bb a3685a"),
    PublicScheme(
      "github", .light,
      "ffffff f5f5f5 c8c8fa 969896 e8e8e8 333333 ffffff ffffff ed6a43 0086b3 795da3 183691 183691 795da3 a71d5d 333333"),
    PublicScheme(
      "grayscale-light", .light,
      "f7f7f7 e3e3e3 b9b9b9 ababab 525252 464646 252525 101010 7c7c7c 999999 a0a0a0 8e8e8e 868686 686868 747474 5e5e5e"),
    PublicScheme(
      "one-light", .light,
      "fafafa f0f0f1 e5e5e6 a0a1a7 696c77 383a42 202227 090a0b ca1243 d75f00 c18401 50a14f 0184bc 4078f2 a626a4 986801"),
  ]
}
