// Prints the scheme that themed reports for this program, now and after each change; connects again if themed restarts.
// Run it with: node follow.js
const net = require("node:net");

const app = "org.example.Follow"; // `themectl set dark --app org.example.Follow` reaches this program alone
const runtime = process.env.XDG_RUNTIME_DIR || `/run/user/${process.getuid()}`;
const path = process.env.THEMED_SOCKET || `${runtime}/themed/org.themed.theme`;
const call = { method: "org.themed.theme.Monitor", more: true, parameters: { app } };
let last;

function follow() {
  let rest = ""; // a reply can arrive in parts, and several at once
  const daemon = net.connect(path, () => daemon.write(JSON.stringify(call) + "\0"));
  daemon.setEncoding("utf8");
  daemon.on("data", (data) => {
    const replies = (rest + data).split("\0");
    rest = replies.pop();
    for (const { error, parameters } of replies.map((reply) => JSON.parse(reply))) {
      if (error) {
        console.error(`themed refused the call: ${error}`); // trying again would not help
        process.exit(1);
      }
      const { scheme } = parameters.state;
      if (scheme !== last) console.log(scheme); // it is the same if another field changed, or themed restarted
      last = scheme;
    }
  });
  daemon.on("error", () => {}); // themed is not running, or is restarting
  daemon.on("close", () => setTimeout(follow, 1000));
}
follow();
