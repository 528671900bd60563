//! One role of the published Rust SDK in a process: `agent URL OFFICE NAME` or `computer SETUP`.
//! An Agent and a Computer read requests {"id", "do", "args"} line by line and print "@@" and {"id", "value"} or
//! {"id", "error"}. They end with their input.

use serde_json::{json, Value};
use smcp_agent::{AsyncSmcpAgent, DefaultAuthProvider, SmcpAgentConfig, SmcpAgentError};
use smcp_computer::computer::{Computer, ConnectOptions, SilentSession};
use std::collections::HashMap;
use tokio::io::{AsyncBufReadExt, BufReader};

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args[0].as_str() {
        "agent" => run_agent(&args[1], &args[2], &args[3]).await,
        _ => run_computer(serde_json::from_str(&args[1])?).await,
    }
}

fn print(id: &Value, outcome: Result<Value, String>) {
    let line = match outcome {
        Ok(value) => json!({ "id": id, "value": value }),
        Err(error) => json!({ "id": id, "error": { "message": error, "code": code_of(&error) } }),
    };
    println!("@@{line}");
}

/// The SDK prints the code in brackets or as a field of its error.
fn code_of(text: &str) -> Option<u64> {
    let digits = text.split(|c: char| !c.is_ascii_digit());
    digits.filter_map(|word| word.parse().ok()).find(|code| *code == 404 || (4000..5000).contains(code))
}

async fn run_agent(url: &str, office: &str, name: &str) -> Result<(), Failure> {
    let provider = DefaultAuthProvider::new(name.to_string(), office.to_string());
    let config = SmcpAgentConfig { tool_call_timeout: 30, ..SmcpAgentConfig::default() };
    let mut agent = AsyncSmcpAgent::new(provider, config);
    let joined = match agent.connect(url).await {
        Ok(()) => agent.join_office(name).await,
        Err(error) => Err(error),
    };
    print(&json!(0), joined.map(|()| Value::Null).map_err(|error| error.to_string()));
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        let request: Value = serde_json::from_str(&line)?;
        let outcome = ask(&agent, office, &request).await;
        print(&request["id"], outcome.map_err(|error| format!("{error} {error:?}")));
    }
    Ok(())
}

async fn ask(agent: &AsyncSmcpAgent, office: &str, request: &Value) -> Result<Value, SmcpAgentError> {
    let args = &request["args"];
    let text = |index: usize| args[index].as_str().unwrap_or_default();
    let optional = |index: usize| args[index].as_str().map(str::to_string);
    let written = |value: Value| Ok(value);
    match request["do"].as_str().unwrap_or_default() {
        "tools" => written(json!(agent.get_tools(text(0)).await?)),
        "call" => agent.tool_call(text(0), text(1), args[2].clone()).await,
        "room" => written(json!(agent.list_room(office).await?)),
        "desktop" => {
            let size = args[1].as_i64().map(|size| size as i32);
            written(json!(agent.get_desktop(text(0), size, optional(2)).await?))
        }
        "config" => written(json!(agent.get_computer_config(text(0)).await?)),
        "resources" => written(json!(agent.get_resources(text(0), text(1), optional(2)).await?)),
        "skills" => written(json!(agent.get_skills(text(0)).await?)),
        "skill" => written(json!(agent.get_skill(text(0), text(1), args[2].as_str()).await?)),
        _ => {
            let data = vec![b'y'; args[1].as_u64().unwrap_or_default() as usize];
            let landed = agent.put_blob(text(0), &data, args[2].as_str(), None).await?;
            written(json!(landed.landing_path))
        }
    }
}

async fn run_computer(setup: Value) -> Result<(), Failure> {
    let name = setup["name"].as_str().unwrap_or_default().to_string();
    let mut servers = HashMap::new();
    for server in setup["servers"].as_array().into_iter().flatten() {
        let key = server["name"].as_str().unwrap_or_default().to_string();
        servers.insert(key, serde_json::from_value(server.clone())?);
    }
    let mut computer = Computer::new(name.clone(), SilentSession::new("peer"), None, Some(servers), true, true)
        .with_confirm_callback(|_, _, _, _| true);
    if let Some(folder) = setup["folder"].as_str() {
        computer = computer
            .with_skill_home(format!("{folder}/skills"))
            .with_blob_cache_root(format!("{folder}/blobs"))
            .with_landing_root(format!("{folder}/landing"))
            .with_config_dir(format!("{folder}/config"));
    }
    let booted = match computer.boot_up().await {
        Ok(()) => computer.start_all_mcp_clients().await,
        Err(error) => Err(error),
    };
    print(&json!(0), booted.map(|()| Value::Null).map_err(|error| error.to_string()));
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        let request: Value = serde_json::from_str(&line)?;
        let (url, office) = (request["args"][0].as_str().unwrap_or(""), request["args"][1].as_str().unwrap_or(""));
        let joined = match computer.connect_socketio(url, ConnectOptions::default()).await {
            Ok(()) => computer.join_office(office, &name).await,
            Err(error) => Err(error),
        };
        print(&request["id"], joined.map(|()| Value::Null).map_err(|error| error.to_string()));
    }
    computer.shutdown().await.map_err(|error| error.to_string().into())
}
