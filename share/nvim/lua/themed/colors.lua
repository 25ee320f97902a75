-- The highlight groups of the color scheme, by the roles of a theme (see themed.theme(5)).
local M = {}

-- The closest of a terminal's sixteen colors; a role that is not in this table keeps the terminal's own color.
local terminal = {
  ['disabled-text'] = 8, separator = 8, selection = 8, primary = 4, secondary = 5, link = 4, error = 1, warning = 3,
  success = 2, info = 6, base08 = 1, base09 = 3, base0A = 3, base0B = 2, base0C = 6, base0D = 4, base0E = 5, base0F = 1,
}

-- Groups of the editor itself.
local editor = {
  Normal = { fg = 'text', bg = 'background' },
  NormalFloat = { fg = 'text', bg = 'surface' },
  FloatBorder = { fg = 'separator', bg = 'surface' },
  FloatTitle = { fg = 'primary', bg = 'surface', bold = true },
  Cursor = { fg = 'cursor-text', bg = 'cursor' },
  TermCursor = { fg = 'cursor-text', bg = 'cursor' },
  CursorLine = { bg = 'surface' },
  CursorColumn = 'CursorLine',
  ColorColumn = 'CursorLine',
  LineNr = { fg = 'disabled-text' },
  CursorLineNr = { fg = 'text', bg = 'surface', bold = true },
  SignColumn = { fg = 'secondary-text' },
  FoldColumn = { fg = 'disabled-text' },
  Folded = { fg = 'secondary-text', bg = 'surface' },
  NonText = { fg = 'separator' },
  Whitespace = 'NonText',
  EndOfBuffer = 'NonText',
  SpecialKey = { fg = 'disabled-text' },
  Conceal = { fg = 'secondary-text' },
  Visual = { fg = 'selection-text', bg = 'selection' },
  Search = { fg = 'background', bg = 'warning' },
  CurSearch = { fg = 'primary-text', bg = 'primary' },
  IncSearch = 'CurSearch',
  Substitute = 'CurSearch',
  MatchParen = { fg = 'warning', bold = true, underline = true },
  Pmenu = { fg = 'text', bg = 'surface' },
  PmenuSel = { fg = 'primary-text', bg = 'primary' },
  PmenuSbar = { bg = 'surface' },
  PmenuThumb = { bg = 'separator' },
  WildMenu = 'PmenuSel',
  QuickFixLine = 'Visual',
  StatusLine = { fg = 'text', bg = 'surface', bold = true },
  StatusLineNC = { fg = 'secondary-text', bg = 'surface' },
  WinBar = { fg = 'text', bold = true },
  WinBarNC = { fg = 'secondary-text' },
  WinSeparator = { fg = 'separator' },
  VertSplit = 'WinSeparator',
  TabLine = { fg = 'secondary-text', bg = 'surface' },
  TabLineFill = 'TabLine',
  TabLineSel = { fg = 'primary-text', bg = 'primary' },
  Title = { fg = 'primary', bold = true },
  Directory = { fg = 'link' },
  Question = { fg = 'success' },
  MoreMsg = { fg = 'success' },
  ModeMsg = { fg = 'secondary-text' },
  ErrorMsg = { fg = 'error' },
  WarningMsg = { fg = 'warning' },
  SpellBad = { sp = 'error', undercurl = true },
  SpellCap = { sp = 'warning', undercurl = true },
  SpellLocal = { sp = 'info', undercurl = true },
  SpellRare = { sp = 'secondary', undercurl = true },
  DiffAdd = { fg = 'success', bg = 'surface' },
  DiffChange = { fg = 'warning', bg = 'surface' },
  DiffDelete = { fg = 'error', bg = 'surface' },
  DiffText = { fg = 'background', bg = 'warning' },
  Added = { fg = 'success' },
  Changed = { fg = 'warning' },
  Removed = { fg = 'error' },
  diffAdded = 'Added',
  diffChanged = 'Changed',
  diffRemoved = 'Removed',
  DiagnosticError = { fg = 'error' },
  DiagnosticWarn = { fg = 'warning' },
  DiagnosticInfo = { fg = 'info' },
  DiagnosticHint = { fg = 'secondary-text' },
  DiagnosticOk = { fg = 'success' },
  DiagnosticUnderlineError = { sp = 'error', undercurl = true },
  DiagnosticUnderlineWarn = { sp = 'warning', undercurl = true },
  DiagnosticUnderlineInfo = { sp = 'info', undercurl = true },
  DiagnosticUnderlineHint = { sp = 'secondary-text', undercurl = true },
  DiagnosticUnderlineOk = { sp = 'success', undercurl = true },
  DiagnosticDeprecated = { sp = 'error', strikethrough = true },
  DiagnosticUnnecessary = { fg = 'disabled-text' },
  LspReferenceText = { bg = 'separator' },
  LspReferenceRead = 'LspReferenceText',
  LspReferenceWrite = { bg = 'separator', bold = true },
  LspSignatureActiveParameter = { fg = 'primary', bold = true },
  LspCodeLens = { fg = 'disabled-text' },
  LspInlayHint = { fg = 'disabled-text', bg = 'surface' },
}

-- Groups of syntax files, which other groups are linked to from the start.
local syntax = {
  Comment = { fg = 'disabled-text', italic = true },
  Constant = { fg = 'base09' },
  String = { fg = 'base0B' },
  Character = 'String',
  Identifier = { fg = 'base08' },
  Function = { fg = 'base0D' },
  Statement = { fg = 'base0E' },
  Operator = { fg = 'text' },
  PreProc = { fg = 'base0E' },
  Macro = { fg = 'base0F' },
  Type = { fg = 'base0A' },
  Special = { fg = 'base0D' },
  SpecialChar = { fg = 'base0C' },
  Tag = { fg = 'base08' },
  Delimiter = { fg = 'secondary-text' },
  Underlined = { fg = 'link', underline = true },
  Error = { fg = 'error' },
  Todo = { fg = 'warning', bold = true },
}

-- Captures of treesitter that look different from what Neovim links them to, by their names before and since 0.9; and
-- types of semantic tokens from a language server that differ from these.
local captures = {
  ['@variable'] = { fg = 'text' },
  ['@variable.builtin'] = { fg = 'base09' },
  ['@variable.parameter'] = { fg = 'text' },
  ['@variable.member'] = { fg = 'base08' },
  ['@parameter'] = '@variable.parameter',
  ['@field'] = '@variable.member',
  ['@property'] = '@variable.member',
  ['@constant.builtin'] = 'Constant',
  ['@module'] = { fg = 'base0A' },
  ['@namespace'] = '@module',
  ['@label'] = 'Statement',
  ['@attribute'] = { fg = 'base0A' },
  ['@constructor'] = 'Function',
  ['@function.macro'] = 'Macro',
  ['@string.regexp'] = { fg = 'base0C' },
  ['@string.regex'] = '@string.regexp',
  ['@string.escape'] = 'SpecialChar',
  ['@string.special.url'] = 'Underlined',
  ['@tag'] = 'Tag',
  ['@tag.attribute'] = { fg = 'base09' },
  ['@tag.delimiter'] = 'Delimiter',
  ['@markup.heading'] = 'Title',
  ['@markup.strong'] = { bold = true },
  ['@markup.italic'] = { italic = true },
  ['@markup.strikethrough'] = { strikethrough = true },
  ['@markup.link'] = { fg = 'base08' },
  ['@markup.link.url'] = 'Underlined',
  ['@markup.list'] = { fg = 'base08' },
  ['@markup.quote'] = { fg = 'base0C' },
  ['@markup.raw'] = 'String',
  ['@text.title'] = 'Title',
  ['@text.strong'] = '@markup.strong',
  ['@text.emphasis'] = '@markup.italic',
  ['@text.reference'] = '@markup.link',
  ['@text.uri'] = 'Underlined',
  ['@text.quote'] = '@markup.quote',
  ['@text.literal'] = 'String',
  ['@diff.plus'] = 'Added',
  ['@diff.delta'] = 'Changed',
  ['@diff.minus'] = 'Removed',
  ['@comment.error'] = { fg = 'error', bold = true },
  ['@comment.warning'] = { fg = 'warning', bold = true },
  ['@comment.todo'] = 'Todo',
  ['@comment.note'] = { fg = 'info', bold = true },
  ['@lsp.type.variable'] = '@variable',
  ['@lsp.type.parameter'] = '@variable.parameter',
  ['@lsp.type.property'] = '@variable.member',
  ['@lsp.type.enumMember'] = 'Constant',
  ['@lsp.type.namespace'] = '@module',
  ['@lsp.type.macro'] = 'Macro',
  ['@lsp.type.regexp'] = '@string.regexp',
  ['@lsp.mod.deprecated'] = { strikethrough = true },
}

-- A color of the palette if it is valid, since it comes from another program.
local function color(palette, role)
  local value = palette[role]
  return type(value) == 'string' and value:find('^#%x%x%x%x%x%x$') and value or nil
end

local function set(palette, groups)
  for name, group in pairs(groups) do
    if type(group) == 'string' then
      vim.api.nvim_set_hl(0, name, { link = group })
    else
      local attributes = {}
      for key, value in pairs(group) do
        if value == true then
          attributes[key] = true
        else
          attributes[key] = color(palette, value)
          if key ~= 'sp' then
            attributes['cterm' .. key] = terminal[value]
          end
        end
      end
      vim.api.nvim_set_hl(0, name, attributes)
    end
  end
end

--- Draws everything with the roles of a palette; if a role is missing, what it would color gets no color.
function M.apply(palette)
  set(palette, editor)
  set(palette, syntax)
  -- Neovim before 0.8 has no groups with these names.
  if vim.fn.has('nvim-0.8') == 1 then
    set(palette, captures)
  end
  for slot = 0, 15 do
    vim.g['terminal_color_' .. slot] = color(palette, 'ansi' .. slot)
  end
end

return M
