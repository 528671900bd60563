"""Agents, Computers and a server of the published SDK in one process.

Reads requests {"id", "do", ...} line by line and prints {"id", "value"} or {"id", "error"}. Ends with its input.
"""

import asyncio
import functools
import inspect
import json
import logging
import os
import socket
import sys
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import socketio
import uvicorn
from a2c_smcp.agent import AsyncSMCPAgentClient, DefaultAgentAuthProvider, SMCPAgentClient
from a2c_smcp.agent import client as async_agent_module
from a2c_smcp.computer.computer import Computer
from a2c_smcp.computer.mcp_clients import model
from a2c_smcp.computer.socketio.client import SMCPComputerClient
from a2c_smcp.server import SMCPNamespace, SyncSMCPNamespace
from a2c_smcp.server.auth import AuthenticationProvider, DefaultAuthenticationProvider
from a2c_smcp.server.sync_auth import SyncAuthenticationProvider
from mcp import StdioServerParameters
from werkzeug.serving import WSGIRequestHandler, make_server

try:
    from a2c_smcp.server import middleware
except ImportError:
    middleware = None  # Servers of 0.1 check no version.

NAMESPACE = "/smcp"
agents = {}
computers = {}


class AllowAll(AuthenticationProvider):
    async def authenticate(self, sio, environ, auth, headers):
        return True

    async def get_agent_id(self, *args, **kwargs):
        return "agent"


class SyncAllowAll(SyncAuthenticationProvider):
    def authenticate(self, sio, environ, auth, headers):
        return True

    def get_agent_id(self, *args, **kwargs):
        return "agent"


class Quiet(WSGIRequestHandler):
    def log(self, *args):
        pass


async def start_sync_server(request):
    """The server of the SDK for threads."""
    sio = socketio.Server(async_mode="threading", async_handlers=True, always_connect=True)
    sio.register_namespace(SyncSMCPNamespace(SyncAllowAll()))
    app = socketio.WSGIApp(sio)
    if middleware:
        app = middleware.A2CProtocolVersionWSGIMiddleware(app)
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


async def start_server(request):
    sio = socketio.AsyncServer(async_mode="asgi", cors_allowed_origins="*")
    secret = request.get("secret")
    provider = DefaultAuthenticationProvider(admin_secret=secret) if secret else AllowAll()
    sio.register_namespace(SMCPNamespace(provider))
    app = socketio.ASGIApp(sio, socketio_path="/socket.io")
    if middleware:
        app = middleware.A2CProtocolVersionASGIMiddleware(app, socketio_path="/socket.io")
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    tasks.add(asyncio.create_task(server.serve(sockets=[listener])))
    return listener.getsockname()[1]


def computer_options(folder):
    """Skills and a folder for uploads, where the version has them."""
    skill = folder / "skills" / "user" / "my-skill"
    settings = folder / "settings.json"
    settings.write_text(json.dumps({"landingRoot": str(folder / "landing")}))
    wanted = {
        "skill_home": skill.parent.parent,
        "blob_cache_root": folder / "blobs",
        "flag_settings_path": settings,
        "project_root": folder,
    }
    known = inspect.signature(Computer.__init__).parameters
    return {key: value for key, value in wanted.items() if key in known}


def pick_input():
    pick = dict(id="color", description="a color", default="red")
    try:
        return model.MCPServerPickStringInput(**pick, options=[{"label": "Red", "value": "red"}])
    except ValueError:
        return model.MCPServerPickStringInput(**pick, options=["red"])


def configs(request):
    auto = model.ToolMeta(auto_apply=True)
    command, *args = request["tools"]
    for name in request["stdio"]:
        parameters = StdioServerParameters(command=command, args=args)
        yield model.StdioServerConfig(name=name, server_parameters=parameters, default_tool_meta=auto)
    for name, url in request["http"].items():
        yield model.StreamableHttpServerConfig.model_validate(
            {"name": name, "server_parameters": {"url": url}, "default_tool_meta": {"auto_apply": True}}
        )


async def start_computer(request):
    """Boots it; `join` connects it."""
    options = computer_options(Path(request["folder"])) if request["folder"] else {}
    computer = Computer(
        name=request["name"], mcp_servers=set(configs(request)), inputs={pick_input()}, confirm_callback=None, **options
    )
    await computer.__aenter__()
    computers[request["key"]] = [computer, None]


def computer_credentials(secret):
    """Where each version expects them: a header up to 0.2.1, `auth` later."""
    return {"auth": {"token": secret}, "headers": {"access_token": secret}} if secret else {}


async def join(request):
    computer, client = computers[request["key"]]
    client = SMCPComputerClient(computer=computer)
    await client.connect(request["url"], namespaces=[NAMESPACE], **computer_credentials(request.get("secret")))
    computers[request["key"]][1] = client
    await client.join_office(request["office"])


async def update(request):
    client = computers[request["key"]][1]
    methods = {
        "config": "emit_update_config",
        "tools": "emit_update_tool_list",
        "desktop": "emit_refresh_desktop",
        "skills": "emit_update_skills",
    }
    await getattr(client, methods[request["kind"]])()


async def drop(request):
    """The connection ends; the Computer stays."""
    await computers[request["key"]][1].disconnect()


async def leave(request):
    await computers[request["key"]][1].leave_office(request["office"])


async def stop_computer(request):
    computer, client = computers.pop(request["key"])
    if client:
        await client.disconnect()
    await computer.__aexit__(None, None, None)


class Listener:
    """Records what the SDK reports to the program."""

    def __init__(self, heard):
        self.heard = heard

    def __getattr__(self, name):
        async def record(*args, **kwargs):
            self.heard(name)

        return record


class RecordingAgent(AsyncSMCPAgentClient):
    """Records every notification, beside what the SDK does with it."""

    async def _trigger_event(self, event, namespace, *args):
        if event.startswith("notify:"):
            self.heard(event)
        return await super()._trigger_event(event, namespace, *args)


class SyncListener(Listener):
    def __getattr__(self, name):
        return lambda *args, **kwargs: self.heard(name)


class SyncRecordingAgent(SMCPAgentClient):
    def _trigger_event(self, event, namespace, *args):
        if event.startswith("notify:"):
            self.heard(event)
        return super()._trigger_event(event, namespace, *args)


class InThreads:
    """The Agent for threads, behind the interface of the other one."""

    def __init__(self, client):
        self.client = client

    def __getattr__(self, name):
        async def run(*args, **kwargs):
            work = functools.partial(getattr(self.client, name), *args, **kwargs)
            return await asyncio.get_running_loop().run_in_executor(threads, work)

        return run


async def start_agent(request):
    counts = {}
    changed = asyncio.Condition()

    def heard(name):
        counts[name] = counts.get(name, 0) + 1

        async def notify():
            async with changed:
                changed.notify_all()

        tasks.add(asyncio.create_task(notify()))

    secret = {"api_key": request["secret"]} if request.get("secret") else {}
    provider = DefaultAgentAuthProvider(agent_id=request["name"], office_id=request["office"], **secret)
    if request.get("sync"):
        loop = asyncio.get_running_loop()
        heard_there = functools.partial(loop.call_soon_threadsafe, heard)
        inner = SyncRecordingAgent(auth_provider=provider, event_handler=SyncListener(heard_there))
        inner.heard = heard_there
        client = InThreads(inner)
    else:
        client = RecordingAgent(auth_provider=provider, event_handler=Listener(heard))
        client.heard = heard
    agents[request["key"]] = {"client": client, "counts": counts, "changed": changed, **request}
    return await connect_agent(request)


async def connect_with_version(request):
    """Announces a version that is not the one of the SDK. Nothing else runs meanwhile."""
    own = async_agent_module.PROTOCOL_VERSION
    async_agent_module.PROTOCOL_VERSION = request["version"]
    try:
        provider = DefaultAgentAuthProvider(agent_id="a", office_id="o")
        client = AsyncSMCPAgentClient(auth_provider=provider, event_handler=Listener(lambda name: None))
        await client.connect_to_server(request["url"])
        await client.disconnect()
    finally:
        async_agent_module.PROTOCOL_VERSION = own


async def connect_agent(request):
    agent = agents[request["key"]]
    await agent["client"].connect_to_server(agent["url"])
    # `join_office` of the SDK does not wait for the acknowledgement.
    payload = {"role": "agent", "name": agent["name"], "office_id": agent["office"]}
    return await agent["client"].call("server:join_office", payload, namespace=NAMESPACE)


async def stop_agent(request):
    await agents[request["key"]]["client"].disconnect()


async def counts(request):
    return agents[request["key"]]["counts"]


async def heard(request):
    """Waits until a notification, or a report of the SDK, was heard more often than before."""
    agent = agents[request["key"]]
    async with agent["changed"]:
        await agent["changed"].wait_for(lambda: agent["counts"].get(request["event"], 0) > request["before"])


async def raw(request):
    client = agents[request["key"]]["client"]
    return await client.call(request["event"], request["payload"], namespace=NAMESPACE, timeout=request["timeout"])


async def emit(request):
    await agents[request["key"]]["client"].emit(request["event"], request["payload"], namespace=NAMESPACE)


async def method(request):
    """Calls a method of the Agent's API."""
    client = agents[request["key"]]["client"]
    args = request["args"]
    if request["name"] == "put_blob":
        data = b"y" * args[1]
        result = await client.put_blob(args[0], data, name_hint=args[2])
        return {"landing_path": result.landing_path, "sha256": result.sha256}
    value = await getattr(client, request["name"])(*args, **request["named"])
    return value.model_dump() if hasattr(value, "model_dump") else value


async def drained(request):
    """The size of a blob, fetched as the SDK does it."""
    from a2c_smcp.utils.blob import drain_blob

    client = agents[request["key"]]["client"]
    if isinstance(client, InThreads):
        from a2c_smcp.utils.blob import drain_blob_sync

        arguments = (client.client._make_blob_call(), request["computer"], request["handle"])
        payload, _ = await asyncio.get_running_loop().run_in_executor(threads, drain_blob_sync, *arguments)
        return len(payload)
    payload, _ = await drain_blob(client._make_blob_call(), request["computer"], request["handle"])
    return len(payload)


async def put_chunks(request):
    """Sends chunks as they are given, with a pause before each. Returns the answers."""
    client = agents[request["key"]]["client"]
    answers = []
    upload = None
    for chunk in request["chunks"]:
        await asyncio.sleep(chunk.pop("pause", 0))
        agent = agents[request["key"]]["name"]
        base = {"agent": agent, "req_id": uuid.uuid4().hex, "computer": request["computer"]}
        known = {"upload_id": upload} if upload else {}
        answer = await client.call("client:put_blob", {**base, **known, **chunk}, namespace=NAMESPACE, timeout=30)
        upload = answer.get("upload_id", upload)
        answers.append(answer)
    return answers


COMMANDS = {
    "server": start_server,
    "sync server": start_sync_server,
    "connect with version": connect_with_version,
    "computer": start_computer,
    "join": join,
    "update": update,
    "drop": drop,
    "leave": leave,
    "stop computer": stop_computer,
    "agent": start_agent,
    "connect agent": connect_agent,
    "stop agent": stop_agent,
    "counts": counts,
    "heard": heard,
    "raw": raw,
    "emit": emit,
    "method": method,
    "drained": drained,
    "put chunks": put_chunks,
}
tasks = set()
threads = ThreadPoolExecutor(max_workers=64)


async def answer(request):
    try:
        outcome = {"value": await COMMANDS[request["do"]](request)}
    except Exception as error:  # every outcome is data of the test
        fields = {name: getattr(error, name, None) for name in ("code", "reason", "server_version")}
        outcome = {"error": {**fields, "message": f"{type(error).__name__}: {error}"[:300]}}
    print("@@" + json.dumps({"id": request["id"], **outcome}, default=str), flush=True)


async def main():
    logging.disable(logging.CRITICAL)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        tasks.add(asyncio.create_task(answer(json.loads(line))))
    os._exit(0)


asyncio.run(main())
