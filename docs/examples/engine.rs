// Plays Ekö by the engine protocol: any legal action. The rules are asked of `ekoes batch`.
// rustc -O docs/examples/engine.rs. The crate serde_json does what `past` and `member` do here.
use std::io::{stdin, BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

const HELLO: &str =
    r#"{"name":"Any action (Rust)","version":"1","protocol":1,"games":["eko"],"levels":[],"ready":true}"#;

/// A value at the beginning of a text, and the text after it and after spaces, commas and colons.
fn past(text: &str) -> (&str, &str) {
    let (mut depth, mut quoted, mut escaped, mut end) = (0, false, false, text.len());
    for (at, byte) in text.bytes().enumerate() {
        if !quoted && depth == 0 && at > 0 && b",:]} \n".contains(&byte) {
            end = at;
            break;
        }
        match byte {
            b'"' if !escaped => quoted = !quoted,
            b'{' | b'[' if !quoted => depth += 1,
            b'}' | b']' if !quoted => depth -= 1,
            _ => {}
        }
        escaped = byte == b'\\' && !escaped;
    }
    (&text[..end], text[end..].trim_start_matches([' ', ',', ':', '\n']))
}

/// The values of a list, or the keys and values of an object, in turn.
fn values(text: &str) -> Vec<&str> {
    let (mut found, mut rest) = (vec![], text[1..].trim_start());
    while !rest.is_empty() && !rest.starts_with([']', '}']) {
        let (value, after) = past(rest);
        found.push(value);
        rest = after;
    }
    found
}

fn member<'a>(object: &'a str, key: &str, otherwise: &'a str) -> &'a str {
    let quoted = format!("\"{key}\"");
    values(object).chunks(2).find(|pair| pair[0] == quoted).map_or(otherwise, |pair| pair[1])
}

struct Rules(ChildStdin, BufReader<ChildStdout>);

impl Rules {
    fn ask(&mut self, request: String) -> String {
        let mut answer = String::new();
        writeln!(self.0, "{request}").unwrap();
        self.1.read_line(&mut answer).unwrap();
        member(&answer, "result", "null").to_string()
    }

    fn choose(&mut self, request: &str) -> String {
        let (position, actions) = (member(request, "position", "null"), member(request, "actions", "[]"));
        let now = self.ask(format!(r#"{{"cmd":"apply","position":{position},"actions":{actions}}}"#));
        let legal = self.ask(format!(r#"{{"cmd":"legal","position":{now}}}"#));
        let legal = values(&legal);
        let drawn = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().subsec_nanos() as usize / 1000;
        legal[drawn % legal.len()].to_string() // the line that matters is yours
    }
}

fn main() {
    let batch = Command::new("ekoes").arg("batch").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut rules = Rules(batch.stdin.unwrap(), BufReader::new(batch.stdout.unwrap()));
    for line in stdin().lines().map(Result::unwrap) {
        let answer = match member(&line, "cmd", "") {
            "\"quit\"" => break,
            "\"hello\"" => format!(r#""result":{HELLO}"#),
            "\"ready\"" => {
                rules.ask(r#"{"cmd":"ready","game":"eko"}"#.to_string());
                r#""result":{}"#.to_string()
            }
            "\"choose\"" => format!(r#""result":{{"action":{}}}"#, rules.choose(&line)),
            "\"stop\"" => r#""result":null"#.to_string(),
            _ => r#""error":"this command is unknown""#.to_string(),
        };
        println!(r#"{{"id":{},{answer}}}"#, member(&line, "id", "null"));
    }
}
