"""The signalling server of the SDK. Prints its port, and ends with its standard input."""

import os
import socket
import sys
import threading

import socketio
import uvicorn
from a2c_smcp.server import SMCPNamespace
from a2c_smcp.server.auth import AuthenticationProvider


class AllowAll(AuthenticationProvider):
    async def authenticate(self, sio, environ, auth, headers):
        return True

    async def get_agent_id(self, *args, **kwargs):
        return "agent"


sio = socketio.AsyncServer(async_mode="asgi", cors_allowed_origins="*")
sio.register_namespace(SMCPNamespace(AllowAll()))
app = socketio.ASGIApp(sio, socketio_path="/socket.io")
try:
    from a2c_smcp.server import A2CProtocolVersionASGIMiddleware
except ImportError:
    try:
        from a2c_smcp.server.middleware import A2CProtocolVersionASGIMiddleware
    except ImportError:
        A2CProtocolVersionASGIMiddleware = None
if A2CProtocolVersionASGIMiddleware:
    app = A2CProtocolVersionASGIMiddleware(app, socketio_path="/socket.io")

listener = socket.socket()
listener.bind(("127.0.0.1", 0))
print(f"@@{listener.getsockname()[1]}", flush=True)
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listener])
