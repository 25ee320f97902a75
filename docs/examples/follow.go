// Prints the scheme that themed reports for this program, now and after each change; connects again if themed restarts.
// Run it with: go run follow.go
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"time"
)

const app = "org.example.Follow" // `themectl set dark --app org.example.Follow` reaches this program alone

type reply struct {
	Error      string
	Parameters struct{ State struct{ Scheme string } }
}

func main() {
	path := os.Getenv("THEMED_SOCKET")
	if path == "" {
		runtime := os.Getenv("XDG_RUNTIME_DIR")
		if runtime == "" {
			runtime = fmt.Sprintf("/run/user/%d", os.Getuid())
		}
		path = runtime + "/themed/org.themed.theme"
	}
	for last := ""; ; time.Sleep(time.Second) { // themed is not running, or is restarting
		daemon, err := net.Dial("unix", path)
		if err != nil {
			continue
		}
		fmt.Fprintf(daemon, `{"method":"org.themed.theme.Monitor","more":true,"parameters":{"app":%q}}`+"\x00", app)
		for input := bufio.NewReader(daemon); ; { // it waits for the NUL byte, however the reply arrives
			text, err := input.ReadBytes(0)
			if err != nil {
				break
			}
			var said reply
			if err := json.Unmarshal(text[:len(text)-1], &said); err != nil || said.Error != "" {
				fmt.Fprintln(os.Stderr, "themed refused the call:", said.Error, err) // trying again would not help
				os.Exit(1)
			}
			if scheme := said.Parameters.State.Scheme; scheme != last { // it is the same if another field changed
				fmt.Println(scheme)
				last = scheme
			}
		}
		daemon.Close()
	}
}
