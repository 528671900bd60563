"""An MCP server with a few tools and a window, for the Computers of the interoperability tests."""

import asyncio
import base64

from mcp.server.fastmcp import FastMCP
from mcp.types import ImageContent

server = FastMCP("tools")


@server.tool()
def add(a: int, b: int) -> str:
    return str(a + b)


@server.tool()
def fail() -> str:
    raise ValueError("it failed")


@server.tool()
def picture(size: int):
    return ImageContent(type="image", data=base64.b64encode(b"x" * size).decode(), mimeType="image/png")


@server.tool()
async def slow() -> str:
    await asyncio.sleep(60)
    return "late"


@server.resource("window://tools/board")
def board() -> str:
    return "a note on the board"


server.run()
