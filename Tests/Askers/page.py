"""A page that tells what a browser says of prefers-color-scheme: python3 page.py BROWSER WORDS...

Starts the browser with the page's address behind its words, in a network that has nothing but this page. Prints a line
for each change, `dark` or `light`, and several times a second what holds now, `now dark`.
"""

import http.server
import subprocess
import sys

PAGE = b"""<!doctype html><title>What is asked for</title><script>
const query = matchMedia("(prefers-color-scheme: dark)")
let told = Promise.resolve(), last
const tell = path => { told = told.then(() => fetch(path, { method: "POST" })) }
// A window that nobody sees may not be told of a change until it is drawn.
const look = () => {
  const word = query.matches ? "dark" : "light"
  if (word != last) tell("/" + word)
  last = word
}
query.addEventListener("change", look)
setInterval(() => { look(); tell("/now-" + last) }, 200)
look()
</script>"""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer(PAGE if self.path == "/" else b"")

    def do_POST(self):
        print(self.path[1:].replace("-", " "), flush=True)
        self.answer(b"")

    def log_message(self, format, *arguments):
        pass


subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
browser = subprocess.Popen([*sys.argv[1:], f"http://127.0.0.1:{server.server_port}/"], stdout=subprocess.DEVNULL)
server.serve_forever()
