"""An Agent of the SDK. Reads lines [URL, office, Computer] and prints the outcome of each operation as JSON."""

import asyncio
import json
import os
import sys
import uuid

from a2c_smcp.agent import AsyncSMCPAgentClient, DefaultAgentAuthProvider


class Handler:
    def __getattr__(self, name):
        async def ignore(*args, **kwargs):
            return None

        return ignore


async def operations(client, computer):
    async def attempt(action):
        try:
            return await asyncio.wait_for(action(), 30)
        except Exception as error:  # every outcome is data of the test
            return f"{type(error).__name__}: {error}"[:200]

    names = []

    async def tools():
        listed = await client.get_tools_from_computer(computer)
        listed = listed["tools"] if isinstance(listed, dict) else listed
        names.extend(tool["name"] for tool in listed)
        return len(names) == 4 or f"{names}"

    def named(tool):
        return next((name for name in names if name.endswith(tool)), tool)

    async def call(tool, params, timeout=20, to=computer):
        return (await client.emit_tool_call(to, named(tool), params, timeout)).model_dump()

    def text(result):
        return result["content"][0].get("text", "") if result["content"] else ""

    async def add():
        result = await call("add", {"a": 1, "b": 2})
        return text(result) == "3" or f"{result}"

    async def tool_error():
        result = await call("fail", {})
        return (result["isError"] and "it failed" in text(result)) or f"{result}"

    async def unknown_tool():
        result = await call("missing", {})
        return result["isError"] or f"{result}"

    async def unknown_computer():
        result = await call("add", {"a": 1, "b": 2}, 3, "nobody")
        return (result["isError"] and len(text(result)) > 40) or text(result)

    def picture(size):
        async def fetch():
            result = await call("picture", {"size": size})
            data = result["content"][0].get("data") if result["content"] else None
            return (data is not None and len(data) == (size + 2) // 3 * 4) or f"{result}"[:200]

        return fetch

    async def desktop():
        answer = await client.get_desktop_from_computer(computer)
        windows = answer["desktops"] if isinstance(answer, dict) else answer
        return any("a note on the board" in window for window in windows) or f"{answer}"

    async def missing_list():
        answer = await client.get_tools_from_computer("nobody", timeout=3)
        return f"{answer}"

    async def refused_list():
        outcome = await attempt(missing_list)
        return True if "Error" in outcome else f"an empty list: {outcome}"

    async def config():
        answer = await client.get_config_from_computer(computer)
        return "my_tools" in answer["servers"] or f"{answer}"

    async def resources():
        for server in ("my_tools", "my tools"):
            answer = await attempt(lambda: client.get_resources(computer, server))
            if isinstance(answer, dict) and answer["resources"]:
                return True
        return f"{answer}"

    async def skills():
        answer = await client.get_skills(computer)
        listed = answer["skills"] if isinstance(answer, dict) else answer
        return isinstance(listed, list) or f"{answer}"

    async def put_blob():
        answer = await client.put_blob(computer, b"y" * 700_000, name_hint="y.txt")
        return getattr(answer, "total_size", None) == 700_000 or answer["total_size"] == 700_000

    async def cancel():
        request = {"agent": "agent", "req_id": uuid.uuid4().hex, "computer": computer}
        slow = {**request, "tool_name": named("slow"), "params": {}, "timeout": 20}
        running = asyncio.create_task(client.call("client:tool_call", slow, namespace="/smcp", timeout=25))
        await asyncio.sleep(1)
        await client.emit("server:tool_call_cancel", {"agent": "agent", "req_id": request["req_id"]}, namespace="/smcp")
        answer = await asyncio.wait_for(running, 15)
        return answer.get("isError") is True or f"{answer}"

    actions = {
        "tools": tools,
        "call": add,
        "tool error": tool_error,
        "unknown tool": unknown_tool,
        "unknown Computer": unknown_computer,
        "tools of an unknown Computer": refused_list,
        "image 100 KB": picture(100_000),
        "image 5 MB": picture(5_000_000),
        "desktop": desktop,
        "cancel": cancel,
    }
    for name, action, method in (
        ("configuration", config, "get_config_from_computer"),
        ("resources", resources, "get_resources"),
        ("skills", skills, "get_skills"),
        ("upload 700 KB", put_blob, "put_blob"),
    ):
        if hasattr(client, method):
            actions[name] = action
    wanted = set(json.loads(sys.argv[1])) if len(sys.argv) > 1 else set(actions)
    return {name: await attempt(action) for name, action in actions.items() if name in wanted}


async def main():
    for line in sys.stdin:
        url, office, computer = json.loads(line)
        provider = DefaultAgentAuthProvider(agent_id="agent", office_id=office)
        client = AsyncSMCPAgentClient(auth_provider=provider, event_handler=Handler())
        try:
            await client.connect_to_server(url)
            await client.join_office(office, "agent", namespace="/smcp")
            await asyncio.sleep(0.5)
            outcome = await operations(client, computer)
        except Exception as error:  # every outcome is data of the test
            outcome = {"connect": f"{type(error).__name__}: {error}"[:200]}
        await client.disconnect()
        print("@@" + json.dumps(outcome), flush=True)
    os._exit(0)


asyncio.run(main())
