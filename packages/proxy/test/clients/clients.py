"""Lists and calls everything with MCP clients of PyPI: `clients.py CONFIG CLIENT…`. Prints what each saw of each server."""

import asyncio
import importlib
import json
import sys
import traceback

CALL = ("echo", {"message": "hello"})


def seen(tools, resources, prompts, call):
    lists = {"tools": tools, "resources": resources, "prompts": prompts}
    return {**{kind: sorted(map(str, names)) for kind, names in lists.items()}, "call": call}


def stdio_parameters(server):
    from mcp import StdioServerParameters

    return StdioServerParameters(command=server["command"], args=server["args"], env=server["env"])


async def mcp(server):
    from mcp import ClientSession
    from mcp.client.stdio import stdio_client

    async def use(streams):
        async with ClientSession(streams[0], streams[1]) as session:
            await session.initialize()
            return await of_session(session)

    if "url" in server:
        import httpx2
        from mcp.client.streamable_http import streamable_http_client

        async with httpx2.AsyncClient(headers=server["headers"]) as http:
            async with streamable_http_client(server["url"], http_client=http) as streams:
                return await use(streams)
    async with stdio_client(stdio_parameters(server)) as streams:
        return await use(streams)


async def of_session(session):
    tools = [tool.name for tool in (await session.list_tools()).tools]
    resources = [resource.uri for resource in (await session.list_resources()).resources]
    prompts = [prompt.name for prompt in (await session.list_prompts()).prompts]
    result = await session.call_tool(*CALL)
    return seen(tools, resources, prompts, result.content[0].text)


def fastmcp_transport(server):
    from fastmcp.client.transports import StdioTransport, StreamableHttpTransport

    if "url" in server:
        return StreamableHttpTransport(server["url"], headers=server["headers"])
    return StdioTransport(server["command"], server["args"], env=server["env"])


async def fastmcp(server):
    from fastmcp import Client

    async with Client(fastmcp_transport(server), init_timeout=100) as client:
        tools = [tool.name for tool in await client.list_tools()]
        resources = [resource.uri for resource in await client.list_resources()]
        prompts = [prompt.name for prompt in await client.list_prompts()]
        result = await client.call_tool(*CALL)
        return seen(tools, resources, prompts, result.content[0].text)


async def openai_agents(server):
    from agents.mcp import MCPServerStdio, MCPServerStreamableHttp

    if "url" in server:
        made = MCPServerStreamableHttp({**server, "timeout": 100}, client_session_timeout_seconds=100)
    else:
        made = MCPServerStdio(server, client_session_timeout_seconds=100)
    async with made as connected:
        tools = [tool.name for tool in await connected.list_tools()]
        resources = [resource.uri for resource in (await connected.list_resources()).resources]
        prompts = [prompt.name for prompt in (await connected.list_prompts()).prompts]
        result = await connected.call_tool(*CALL)
        return seen(tools, resources, prompts, result.content[0].text)


async def langchain(server):
    from langchain_mcp_adapters.client import MultiServerMCPClient

    transport = {"transport": "streamable_http" if "url" in server else "stdio"}
    client = MultiServerMCPClient({"it": {**server, **transport}})
    tools = await client.get_tools()
    echo = next(tool for tool in tools if tool.name == CALL[0])
    result = await echo.ainvoke(CALL[1])
    resources = [str(blob.metadata["uri"]) for blob in await client.get_resources("it")]
    async with client.session("it") as session:
        prompts = [prompt.name for prompt in (await session.list_prompts()).prompts]
    return seen([tool.name for tool in tools], resources, prompts, result[0]["text"])


async def pydantic_ai(server):
    from pydantic_ai.mcp import MCPToolset

    async with MCPToolset(fastmcp_transport(server), init_timeout=100) as connected:
        tools = [tool.name for tool in await connected.list_tools()]
        resources = [resource.uri for resource in await connected.list_resources()]
        prompts = [prompt.name for prompt in await connected.list_prompts()]
        result = await connected.direct_call_tool(*CALL)
        return seen(tools, resources, prompts, str(result))


CLIENTS = {
    "mcp": mcp,
    "fastmcp": fastmcp,
    "openai-agents": openai_agents,
    "langchain-mcp-adapters": langchain,
    "pydantic-ai": pydantic_ai,
}


MODULES = {
    "mcp": "mcp.client.streamable_http",
    "fastmcp": "fastmcp",
    "openai-agents": "agents.mcp",
    "langchain-mcp-adapters": "langchain_mcp_adapters.client",
    "pydantic-ai": "pydantic_ai.mcp",
}


async def main(file, *clients):
    servers = json.load(open(file))["mcpServers"]
    for server in servers.values():
        server.pop("type", None)
    for client in clients:
        importlib.import_module(MODULES[client])  # Takes seconds, in which no connection would be served.
    room = asyncio.Semaphore(4)

    async def view(client, name):
        async with room:
            for attempt in range(10):
                try:
                    return [client, name, await CLIENTS[client](servers[name])]
                except BaseExceptionGroup as error:
                    # mcp 1 fails when a message arrives while it closes a connection.
                    if attempt == 9 or "BrokenResourceError" not in "".join(traceback.format_exception(error)):
                        raise

    views = await asyncio.gather(*(view(client, name) for client in clients for name in servers))
    print(json.dumps(views))


asyncio.run(main(*sys.argv[1:]))
