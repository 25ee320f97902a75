#!/usr/bin/env python3
"""Imports every file of a directory of colour schemes, and compares the colours with those of Python's own readers.

    tools/schemes.py THEMECTL DIRECTORY...

It prints a line for each directory: files, imported, refused (by reason), different. With --list it names the files.
The readers below know nothing of themed: plistlib, json, tomllib, configparser, PyYAML and regular expressions.
"""

import collections, concurrent.futures, configparser, json, os, plistlib, re, subprocess, sys, tempfile, tomllib

import yaml

NAMES = "black red green yellow blue magenta cyan white".split()


def hexadecimal(value):
    """'#rrggbb' for a colour as these files write it; None if it is none."""
    if not isinstance(value, str):
        return None
    text = value.strip().lower().removeprefix("0x").removeprefix("#")
    if re.fullmatch("[0-9a-f]{3}", text):
        text = "".join(c * 2 for c in text)
    if re.fullmatch("[0-9a-f]{6}", text):
        return "#" + text
    if re.fullmatch(r"\d+,\d+,\d+", value.strip()):
        return "#%02x%02x%02x" % tuple(int(part) for part in value.split(","))
    return None


def plist(raw):
    def light(c):
        return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4

    def value(c):
        return c * 12.92 if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055

    def color(entry):
        rgb = [min(max(float(entry[f"{name} Component"]), 0), 1) for name in ("Red", "Green", "Blue")]
        if entry.get("Color Space") == "P3":
            r, g, b = map(light, rgb)
            rgb = [1.2249401763 * r - 0.2249401763 * g, 1.0420569547 * g - 0.0420569547 * r,
                   1.0982735546 * b - 0.0196375546 * r - 0.0786360456 * g]
            rgb = [value(min(max(c, 0), 1)) for c in rgb]
        return "#%02x%02x%02x" % tuple(int(c * 255 + 0.5) for c in rgb)

    data = plistlib.loads(raw)
    names = {"background": "Background Color", "text": "Foreground Color", "cursor": "Cursor Color",
             "selection": "Selection Color", **{f"ansi{i}": f"Ansi {i} Color" for i in range(16)}}
    return {role: color(data[name]) for role, name in names.items() if name in data}


def nested(data, names):
    result = {}
    for role, path in names.items():
        value = data
        for part in path.split("/"):
            value = value[int(part)] if isinstance(value, list) else (value or {}).get(part)
        result[role] = hexadecimal(value)
    return {role: color for role, color in result.items() if color}


def named(normal, bright, names=NAMES):
    return {**{f"ansi{i}": normal + names[i] for i in range(8)}, **{f"ansi{i + 8}": bright + names[i] for i in range(8)}}


PURPLE = ["purple" if name == "magenta" else name for name in NAMES]
GOGH = {"background": "background", "text": "foreground", "cursor": "cursor",
        **{f"ansi{i}": f"color_{i + 1:02}" for i in range(16)}}
ALACRITTY = {"background": "colors/primary/background", "text": "colors/primary/foreground",
             "cursor": "colors/cursor/cursor", "selection": "colors/selection/background",
             **named("colors/normal/", "colors/bright/")}
WEZTERM = {"background": "colors/background", "text": "colors/foreground", "cursor": "colors/cursor_bg",
           "selection": "colors/selection_bg",
           **{f"ansi{i}": f"colors/ansi/{i}" for i in range(8)}, **{f"ansi{i + 8}": f"colors/brights/{i}" for i in range(8)}}
WINDOWS = {"background": "background", "text": "foreground", "cursor": "cursorColor",
           **{key: name if int(key[4:]) < 8 else "bright" + name[6:].capitalize()
              for key, name in named("", "bright", PURPLE).items()}}
CODE = {"background": "workbench.colorCustomizations/terminal.background",
        "text": "workbench.colorCustomizations/terminal.foreground",
        **named("workbench.colorCustomizations/terminal.ansi", "workbench.colorCustomizations/terminal.ansiBright",
                [name.capitalize() for name in NAMES])}


def base(data):
    palette = data.get("palette", data)
    return {name: hexadecimal(str(value)) for name, value in palette.items() if re.fullmatch("base[0-9A-F]{2}", name)}


def ini(raw):
    parser = configparser.RawConfigParser(strict=False, inline_comment_prefixes=("#",), allow_no_value=True)
    parser.optionxform = str
    text = raw.decode()
    parser.read_string(re.sub(r"(?m)^#.*$", "", text))
    if parser.has_section("Palette") or parser.has_section("Light"):
        raw_values = dict(re.findall(r"(?m)^(\w+)=(#\w+)", text))
        return nested(raw_values, {"background": "Background", "text": "Foreground", **{f"ansi{i}": f"Color{i}" for i in range(16)}})
    if parser.has_section("Foreground"):
        data = {name: dict(parser[name]) for name in parser.sections()}
        return nested(data, {"background": "Background/Color", "text": "Foreground/Color",
                             **{f"ansi{i}": f"Color{i}/Color" for i in range(8)},
                             **{f"ansi{i + 8}": f"Color{i}Intense/Color" for i in range(8)}})
    section = next(name for name in ("colors", "colors-dark", "colors-light") if parser.has_section(name))
    values = dict(parser[section])
    pair = (values.get("cursor") or (parser["cursor"].get("color") if parser.has_section("cursor") else "") or "").split()
    values["cursor-color"] = pair[1] if len(pair) == 2 else None
    return nested(values, {"background": "background", "text": "foreground", "cursor": "cursor-color",
                           "selection": "selection-background", **{f"ansi{i}": f"regular{i}" for i in range(8)},
                           **{f"ansi{i + 8}": f"bright{i}" for i in range(8)}})


def lines(raw, pattern, names):
    found = dict(re.findall(pattern, raw.decode(errors="replace")))
    return {role: color for role, name in names.items() if (color := hexadecimal(found.get(name, "")))}


TERMINAL = {f"ansi{i}": f"color{i}" for i in range(16)}
KITTY = {"background": "background", "text": "foreground", "cursor": "cursor", "selection": "selection_background", **TERMINAL}
GHOSTTY = {"background": "background", "text": "foreground", "cursor": "cursor-color", "selection": "selection-background",
           **{f"ansi{i}": f"palette = {i}" for i in range(16)}}
X = {"background": "background", "text": "foreground", "cursor": "cursorColor", **TERMINAL}
XRDB = {"background": "Background_Color", "text": "Foreground_Color", "cursor": "Cursor_Color",
        **{f"ansi{i}": f"Ansi_{i}_Color" for i in range(16)}}


def expected(path, raw):
    """The colours of a file by their roles; None if no reader below is for it."""
    folder, ending = os.path.basename(os.path.dirname(path)).lower(), os.path.splitext(path)[1].lower()
    if ending == ".itermcolors":
        return plist(raw)
    if ending in (".yml", ".yaml"):
        data = yaml.load(raw, yaml.BaseLoader)
        if not isinstance(data, dict):
            return None
        return nested(data, GOGH) if "color_01" in data else base(data) if "base00" in data.get("palette", data) else None
    if ending == ".toml":
        data = tomllib.loads(raw.decode())
        colors = data.get("colors", {})
        return nested(data, WEZTERM) if "ansi" in colors else nested(data, ALACRITTY) if "primary" in colors else None
    if ending == ".json":
        data = json.loads(raw)
        if not isinstance(data, dict):
            return None
        table = CODE if "workbench.colorCustomizations" in data else GOGH if "color_01" in data else WINDOWS
        return nested(data, table) if table is not WINDOWS or "brightBlack" in data else None
    if ending in (".ini", ".colorscheme", ".palette") and folder not in ("mobaxterm",):
        return ini(raw)
    if ending == ".lua" and folder == "themes":
        text = re.sub(r"--[^\n]*", "", raw.decode())
        tables = {name: dict(re.findall(r"([\w]+)\s*=\s*([\"']#\w+[\"']|M\.[\w.]+)", body))
                  for name, body in re.findall(r"M\.(base_\d\d)\s*=\s*{([^}]*)}", text)}
        result = {}
        for name, value in tables.get("base_16", {}).items():
            if value.startswith("M."):
                value = tables[value.split(".")[1]][value.split(".")[2]]
            result[name] = hexadecimal(value.strip("\"'"))
        return result
    if ending == ".conf" and (folder in ("kitty", "themes") or b"color0 " in raw):
        return lines(raw, r"(?m)^[ \t]*(\w+)[ \t]+(#?\w+)[ \t]*\r?$", KITTY)
    if folder == "ghostty":
        return lines(raw, r"(?m)^[ \t]*([\w-]+(?: = \d+(?==))?)[ \t]*=[ \t]*(#?\w+)[ \t]*$", GHOSTTY)
    if folder == "xresources":
        return lines(raw, r"(?m)^\*\.?(\w+):\s*(#\w+)[ \t]*$", X)
    if folder == "xrdb":
        return lines(raw, r"(?m)^#define (\w+) (#\w+)[ \t]*$", XRDB)
    return None


def imported(themectl, path, home):
    """What themectl reads: the colours of its theme, or the reason why it refuses the file."""
    environment = {**os.environ, "XDG_DATA_HOME": home, "HOME": home, "XDG_RUNTIME_DIR": home}
    run = subprocess.run([themectl, "theme", "import", "--force", "--name", "x", path], capture_output=True,
                         text=True, env=environment, stdin=subprocess.DEVNULL)
    if run.returncode not in (0, 1):
        return None, f"status {run.returncode}"
    if run.returncode == 1:
        return None, run.stderr.replace(path, "").strip().splitlines()[0].removeprefix("themectl: : ")
    sides = []
    for line in open(f"{home}/themed/themes/x.theme"):
        if group := re.match(r"\[(light|dark)\.palette\]", line):
            sides.append({})
        elif sides and "=" in line:
            name, _, value = line.strip().partition("=")
            sides[-1][name] = value
    return sides, run.stderr


def reason(text):
    text = re.sub(r"'[^']*'", "'…'", re.sub(r"line \d+: ", "", text))
    return re.sub(r"\b(base0[0-9A-F]|color\d+|[\w.]+/[\w.]+)(, \S+)* (is|are|and)\b.*missing", "colours are missing", text)[:100]


def check(themectl, path):
    with tempfile.TemporaryDirectory() as home:
        sides, said = imported(themectl, path, home)
    if sides is None:
        return path, "refused", said
    try:
        wanted = expected(path, open(path, "rb").read())
    except Exception as error:  # a broken file, which themectl should have refused
        return path, "different", f"python: {error}"
    if wanted is None:
        return path, "unchecked", said
    best = min((({role: (color, side.get(role)) for role, color in wanted.items() if side.get(role) != color}) for side in sides), key=len)
    return path, "different" if best else "equal", str(best)


def main():
    words = [word for word in sys.argv[1:] if word != "--list"]
    for directory in words[1:]:
        files = sorted(os.path.join(where, name) for where, _, names in os.walk(directory) if "/." not in where for name in names)
        counts, reasons = collections.Counter(), collections.Counter()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for path, result, said in pool.map(lambda path: check(words[0], path), files):
                counts[result] += 1
                if result == "refused":
                    reasons[reason(said)] += 1
                if "--list" in sys.argv and result in ("refused", "different"):
                    print(f"  {result}: {path}: {said}")
        good = counts["equal"] + counts["unchecked"] + counts["different"]
        print(f"{directory}: {len(files)} files, {good} imported ({counts['equal']} compared and equal, "
              f"{counts['unchecked']} not compared, {counts['different']} different), {counts['refused']} refused")
        for text, count in reasons.most_common(6):
            print(f"    {count} × {text}")


main()
