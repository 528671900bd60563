//! One role of the published Rust SDK in a process: `agent URL OFFICE NAME TIMEOUT`, `raw URL OFFICE NAME`,
//! `computer SETUP` or `server`. Each reads requests {"id", "do", "args"} line by line and prints "@@" and
//! {"id", "value"} or {"id", "error"}; the answer 0 says whether it started. They end with their input.

use async_trait::async_trait;
use serde_json::{json, Value};
use smcp::{A2CSkillRef, EnterOfficeNotification, LeaveOfficeNotification, SMCPTool, UpdateMCPConfigNotification};
use smcp_agent::{AsyncAgentEventHandler, AsyncSmcpAgent, DefaultAuthProvider, SmcpAgentConfig, SmcpAgentError};
use smcp_agent::SocketIoTransport;
use smcp_computer::computer::{Computer, ConnectOptions, SilentSession};
use smcp_server_core::{AuthError, AuthenticationProvider, SmcpServerBuilder};
use smcp_server_hyper::HyperServer;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::sync::Notify;

type Failure = Box<dyn std::error::Error + Send + Sync>;
type Answer = Result<Value, String>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args[0].as_str() {
        "agent" => run_agent(&args[1], &args[2], &args[3], args[4].parse()?).await,
        "raw" => run_raw(&args[1], &args[2], &args[3]).await,
        "server" => run_server().await,
        _ => run_computer(serde_json::from_str(&args[1])?).await,
    }
}

fn print(id: &Value, outcome: Answer) {
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

/// Answers all requests; several may be pending.
async fn serve<F, Fut>(answer: F) -> Result<(), Failure>
where
    F: Fn(Value) -> Fut + Send + Sync + 'static,
    Fut: std::future::Future<Output = Answer> + Send + 'static,
{
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        let request: Value = serde_json::from_str(&line)?;
        let id = request["id"].clone();
        let pending = answer(request);
        tokio::spawn(async move { print(&id, pending.await) });
    }
    Ok(())
}

/// Counts what the SDK reports to the program.
#[derive(Clone, Default)]
struct Heard {
    counts: Arc<Mutex<HashMap<String, u64>>>,
    changed: Arc<Notify>,
}

impl Heard {
    fn add(&self, event: &str) -> Result<(), SmcpAgentError> {
        *self.counts.lock().unwrap().entry(event.to_string()).or_default() += 1;
        self.changed.notify_waiters();
        Ok(())
    }

    fn count(&self, event: &str) -> u64 {
        self.counts.lock().unwrap().get(event).copied().unwrap_or_default()
    }

    async fn more_than(&self, event: &str, before: u64) {
        loop {
            let changed = self.changed.notified();
            if self.count(event) > before {
                return;
            }
            tokio::select! { _ = changed => {}, _ = tokio::time::sleep(std::time::Duration::from_millis(50)) => {} }
        }
    }
}

#[async_trait]
impl AsyncAgentEventHandler for Heard {
    async fn on_computer_enter_office(
        &self,
        _data: EnterOfficeNotification,
        _agent: &AsyncSmcpAgent,
    ) -> Result<(), SmcpAgentError> {
        self.add("enter")
    }

    async fn on_computer_leave_office(
        &self,
        _data: LeaveOfficeNotification,
        _agent: &AsyncSmcpAgent,
    ) -> Result<(), SmcpAgentError> {
        self.add("leave")
    }

    async fn on_computer_update_config(
        &self,
        _data: UpdateMCPConfigNotification,
        _agent: &AsyncSmcpAgent,
    ) -> Result<(), SmcpAgentError> {
        self.add("config")
    }

    async fn on_tools_received(
        &self,
        _computer: &str,
        _tools: Vec<SMCPTool>,
        _agent: &AsyncSmcpAgent,
    ) -> Result<(), SmcpAgentError> {
        self.add("tools")
    }

    async fn on_desktop_updated(
        &self,
        _computer: &str,
        _desktops: Vec<String>,
        _agent: &AsyncSmcpAgent,
    ) -> Result<(), SmcpAgentError> {
        self.add("desktop")
    }

    async fn on_skills_received(
        &self,
        _computer: &str,
        _skills: Vec<A2CSkillRef>,
        _agent: &AsyncSmcpAgent,
    ) -> Result<(), SmcpAgentError> {
        self.add("skills")
    }
}

async fn run_agent(url: &str, office: &str, name: &str, timeout: u64) -> Result<(), Failure> {
    let provider = DefaultAuthProvider::new(name.to_string(), office.to_string());
    let config = SmcpAgentConfig { tool_call_timeout: timeout, ..SmcpAgentConfig::default() };
    let heard = Heard::default();
    let mut agent = AsyncSmcpAgent::new(provider, config).with_event_handler(heard.clone());
    let joined = join(&mut agent, url, office, name).await;
    print(&json!(0), joined.map_err(|error| error.to_string()));
    let (agent, office) = (Arc::new(agent), office.to_string());
    serve(move |request| {
        let (agent, office, heard) = (agent.clone(), office.clone(), heard.clone());
        async move { ask(&agent, &office, &heard, &request).await.map_err(|error| format!("{error} {error:?}")) }
    })
    .await
}

/// `join_office` does not wait for the acknowledgement, and is lost if the namespace is not connected yet: the list of
/// members says whether it joined.
async fn join(agent: &mut AsyncSmcpAgent, url: &str, office: &str, name: &str) -> Result<Value, SmcpAgentError> {
    agent.connect(url).await?;
    let limit = std::time::Duration::from_secs(2);
    for attempt in 0..20 {
        if attempt % 5 == 0 {
            agent.join_office(name).await?;
        }
        if let Ok(Ok(members)) = tokio::time::timeout(limit, agent.list_room(office)).await {
            if members.iter().any(|member| member.name == name) {
                return Ok(Value::Null);
            }
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    Err(SmcpAgentError::internal("refused: it is not in the list of members"))
}

async fn ask(
    agent: &AsyncSmcpAgent,
    office: &str,
    heard: &Heard,
    request: &Value,
) -> Result<Value, SmcpAgentError> {
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
        "blob" => written(json!(blob_size(agent, text(0), text(1)).await?)),
        "count" => written(json!(heard.count(text(0)))),
        "heard" => {
            heard.more_than(text(0), args[1].as_u64().unwrap_or_default()).await;
            written(Value::Null)
        }
        "leave" => {
            agent.leave_office().await?;
            written(Value::Null)
        }
        _ => {
            let data = vec![b'y'; args[1].as_u64().unwrap_or_default() as usize];
            let landed = agent.put_blob(text(0), &data, args[2].as_str(), None).await?;
            written(json!(landed.landing_path))
        }
    }
}

/// The number of bytes of a blob, fetched chunk by chunk.
async fn blob_size(agent: &AsyncSmcpAgent, computer: &str, handle: &str) -> Result<u64, SmcpAgentError> {
    let mut size = 0;
    loop {
        let chunk = agent.get_blob(computer, handle, Some(size), None).await?;
        let padding = chunk.blob.bytes().rev().take_while(|byte| *byte == b'=').count();
        size += (chunk.blob.len() / 4 * 3 - padding) as u64;
        if chunk.eof {
            return Ok(size);
        }
    }
}

/// A connection of the SDK without its Agent: requests and events as they are given.
async fn run_raw(url: &str, office: &str, name: &str) -> Result<(), Failure> {
    let (transport, _notifications) =
        SocketIoTransport::connect_with_handlers(url, smcp::SMCP_NAMESPACE, None, HashMap::new()).await?;
    let payload = json!({ "role": "agent", "name": name, "office_id": office });
    let joined = transport.call("server:join_office", payload, 10).await;
    print(&json!(0), joined.map_err(|error| error.to_string()));
    let transport = Arc::new(transport);
    serve(move |request| {
        let transport = transport.clone();
        async move {
            let args = &request["args"];
            let (event, payload) = (args[0].as_str().unwrap_or_default(), args[1].clone());
            let outcome = match request["do"].as_str().unwrap_or_default() {
                "emit" => transport.emit(event, payload).await.map(|()| Value::Null),
                _ => transport.call(event, payload, 40).await,
            };
            outcome.map_err(|error| error.to_string())
        }
    })
    .await
}

#[derive(Debug)]
struct AllowAll;

#[async_trait]
impl AuthenticationProvider for AllowAll {
    async fn authenticate(&self, _headers: &http::HeaderMap, _auth: Option<&Value>) -> Result<(), AuthError> {
        Ok(())
    }
}

/// The server of the SDK; the answer 0 is its port.
async fn run_server() -> Result<(), Failure> {
    let layer = SmcpServerBuilder::new().with_auth_provider(Arc::new(AllowAll)).build_layer()?;
    let address = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    tokio::spawn(async move { HyperServer::new().with_layer(layer).run(address).await });
    while tokio::net::TcpStream::connect(address).await.is_err() {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    print(&json!(0), Ok(json!(address.port())));
    serve(|_| async { Ok(Value::Null) }).await
}

async fn run_computer(setup: Value) -> Result<(), Failure> {
    let name = setup["name"].as_str().unwrap_or_default().to_string();
    let mut servers = HashMap::new();
    for server in setup["servers"].as_array().into_iter().flatten() {
        let key = server["name"].as_str().unwrap_or_default().to_string();
        servers.insert(key, serde_json::from_value(server.clone())?);
    }
    let mut inputs = HashMap::new();
    for input in setup["inputs"].as_array().into_iter().flatten() {
        inputs.insert(input["id"].as_str().unwrap_or_default().to_string(), serde_json::from_value(input.clone())?);
    }
    let mut computer = Computer::new(name.clone(), SilentSession::new("peer"), Some(inputs), Some(servers), true, true)
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
    let computer = Arc::new(computer);
    serve(move |request| {
        let (computer, name) = (computer.clone(), name.clone());
        async move {
            let args = &request["args"];
            let text = |index: usize| args[index].as_str().unwrap_or_default();
            let outcome = match request["do"].as_str().unwrap_or_default() {
                "join" => match computer.connect_socketio(text(0), ConnectOptions::default()).await {
                    Ok(()) => computer.join_office(text(1), &name).await,
                    Err(error) => Err(error),
                },
                "leave" => computer.leave_office().await,
                "drop" => computer.disconnect_socketio().await,
                kind => {
                    let slot = computer.get_socketio_client();
                    let slot = slot.read().await;
                    let client = slot.as_ref().ok_or("not connected")?;
                    match kind {
                        "config" => client.emit_update_config().await,
                        "tools" => client.emit_update_tool_list().await,
                        "desktop" => client.emit_update_desktop().await,
                        _ => client.emit_update_skills().await,
                    }
                }
            };
            outcome.map(|()| Value::Null).map_err(|error| error.to_string())
        }
    })
    .await
}
