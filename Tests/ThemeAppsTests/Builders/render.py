# Renders templates as the builders of tinted-theming do: by chevron, with the table of escapes of that project's own
# renderer.
#
# Reads JSON lines {"template": …, "values": {…}} and writes one JSON string for each.
import json
import sys

import chevron.renderer

ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}

chevron.renderer._html_escape = lambda text: "".join(ESCAPES.get(character, character) for character in text)
for line in sys.stdin.buffer:
    case = json.loads(line)
    print(json.dumps(chevron.renderer.render(case["template"], case["values"])))
