"""A Computer of the SDK. Arguments: URL, office, name, folder, the MCP server. Ends with its standard input."""

import asyncio
import inspect
import json
import os
import sys
from pathlib import Path

from a2c_smcp.computer.computer import Computer
from a2c_smcp.computer.mcp_clients.model import StdioServerConfig, ToolMeta
from a2c_smcp.computer.socketio.client import SMCPComputerClient
from mcp import StdioServerParameters

url, office, name, folder, tools = sys.argv[1:]
root = Path(folder)


async def main():
    config = StdioServerConfig(
        name="my tools",
        server_parameters=StdioServerParameters(command=sys.executable, args=[tools]),
        default_tool_meta=ToolMeta(auto_apply=True),
    )
    skill = root / "skills" / "user" / "my-skill"
    skill.mkdir(parents=True, exist_ok=True)
    (skill / "SKILL.md").write_text("---\nname: my-skill\ndescription: a skill\n---\nhello\n")
    landing = root / "landing"
    landing.mkdir(exist_ok=True)
    settings = root / "settings.json"
    settings.write_text(json.dumps({"landingRoot": str(landing)}))
    wanted = {"skill_home": root / "skills", "blob_cache_root": root / "blobs", "flag_settings_path": settings}
    known = inspect.signature(Computer.__init__).parameters
    options = {key: value for key, value in wanted.items() if key in known}
    computer = Computer(name=name, mcp_servers={config}, inputs=set(), confirm_callback=None, **options)
    async with computer:
        client = SMCPComputerClient(computer=computer)
        await client.connect(url, namespaces=["/smcp"])
        await client.join_office(office)
        print("@@true", flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    os._exit(0)


asyncio.run(main())
