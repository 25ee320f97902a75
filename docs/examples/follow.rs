//! Prints the scheme that themed reports for this program, now and after each change; connects again if themed restarts.
//! It needs the crate serde_json. Copy it to src/main.rs of a new package, and run: cargo add serde_json; cargo run
use std::io::{BufRead, BufReader, Write};
use std::os::unix::{fs::MetadataExt, net::UnixStream};
use std::{env, fs, io, process, thread, time::Duration};

const APP: &str = "org.example.Follow"; // `themectl set dark --app org.example.Follow` reaches this program alone

fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

fn follow(path: &str, last: &mut String) -> io::Result<()> {
    let mut daemon = UnixStream::connect(path)?;
    let parameters = serde_json::json!({ "app": APP });
    let call = serde_json::json!({ "method": "org.themed.theme.Monitor", "more": true, "parameters": parameters });
    daemon.write_all(format!("{call}\0").as_bytes())?;
    // It waits for the NUL byte, however the reply arrives.
    for text in BufReader::new(daemon).split(0) {
        let reply: serde_json::Value = serde_json::from_slice(&text?)?;
        if let Some(error) = reply["error"].as_str() {
            eprintln!("themed refused the call: {error}"); // trying again would not help
            process::exit(1);
        }
        let scheme = reply["parameters"]["state"]["scheme"].as_str().unwrap_or_default();
        if scheme != last {
            println!("{scheme}"); // it is the same if another field changed, or themed restarted
            *last = scheme.to_owned();
        }
    }
    Ok(())
}

fn main() {
    let runtime = variable("XDG_RUNTIME_DIR").or_else(|| Some(format!("/run/user/{}", fs::metadata("/proc/self").ok()?.uid())));
    let path = variable("THEMED_SOCKET").unwrap_or_else(|| runtime.unwrap_or_default() + "/themed/org.themed.theme");
    let mut last = String::new();
    loop {
        let _ = follow(&path, &mut last); // themed is not running, or is restarting
        thread::sleep(Duration::from_secs(1));
    }
}
