import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { read, readOne } from './reading.js';

/** The examples of the documents, unchanged. */
describe('the A2C document', () => {
  const playwright = `{
  "name": "playwright-mcp",
  "type": "stdio",
  "disabled": false,
  "forbidden_tools": [],
  "tool_meta": {},
  "server_parameters": {
    "command": "npx",
    "args": ["@playwright/mcp@latest", "--port", "8931"],
    "env": null,
    "cwd": null,
    "encoding": "utf-8",
    "encoding_error_handler": "strict"
  }
}`;
  const streamable = `{
  "name": "my-streamable",
  "type": "streamable",
  "disabled": false,
  "forbidden_tools": [],
  "tool_meta": {
    "search": { "alias": "web_search", "auto_apply": true }
  },
  "server_parameters": {
    "url": "https://api.example.com/mcp",
    "headers": { "Authorization": "Bearer \${input:API_TOKEN}" },
    "timeout": "PT20S",
    "sse_read_timeout": "PT60S",
    "terminate_on_close": true
  }
}`;
  const sse = `{
  "name": "my-sse",
  "type": "sse",
  "disabled": false,
  "forbidden_tools": ["dangerous_tool"],
  "tool_meta": {},
  "server_parameters": {
    "url": "https://example.com/sse",
    "headers": null,
    "timeout": 20.0,
    "sse_read_timeout": 60.0
  }
}`;
  const inputs = `[
  {
    "id": "API_TOKEN",
    "type": "promptString",
    "description": "API token for the server",
    "default": null,
    "password": true
  },
  {
    "id": "REGION",
    "type": "pickString",
    "description": "Select deployment region",
    "options": ["us-east-1", "eu-west-1"],
    "default": "us-east-1"
  }
]`;

  verifies(['COMP-SERVER-07', 'COMP-STDIO-01', 'COMP-FILE-02'], 'stdio', () => {
    expect(readOne(playwright)).toEqual({
      name: 'playwright-mcp',
      transport: {
        type: 'stdio',
        argv: ['npx', '@playwright/mcp@latest', '--port', '8931'],
        env: {},
        env_file: null,
        inherit_env: false,
        cwd: null,
        encoding: 'utf-8',
        encoding_error_handler: 'strict',
        stdout_log: null,
      },
      disabled: false,
      forbidden_tools: [],
      tool_meta: {},
      default_tool_meta: null,
      vrl: null,
      timeouts: { timeout: null, sse_read_timeout: null },
      origin: { file: 'test.json', format: 'a2c' },
    });
  });

  verifies(['COMP-SERVER-07', 'COMP-STREAM-01', 'COMP-SERVER-04', 'COMP-INPUT-01'], 'streamable', () => {
    const server = readOne(streamable);
    expect(server.transport).toEqual({
      type: 'streamable_http',
      url: 'https://api.example.com/mcp',
      sse_url: null,
      http_headers: { Authorization: 'Bearer ${input:API_TOKEN}' },
      bearer_token_env_var: null,
      env_http_headers: {},
      terminate_on_close: true,
    });
    expect(server.timeouts).toEqual({ timeout: 20, sse_read_timeout: 60 });
    expect(server.tool_meta).toEqual({ search: { alias: 'web_search', auto_apply: true } });
  });

  verifies(['COMP-SERVER-07', 'COMP-SSE-01', 'COMP-SERVER-03'], 'sse', () => {
    const server = readOne(sse);
    expect(server.transport).toMatchObject({ type: 'sse', url: 'https://example.com/sse', http_headers: {} });
    expect(server.timeouts).toEqual({ timeout: 20, sse_read_timeout: 60 });
    expect(server.forbidden_tools).toEqual(['dangerous_tool']);
  });

  verifies(
    ['COMP-FILE-01', 'COMP-FILE-02', 'COMP-SERVER-01'],
    'the three in one list, in the order of the file',
    () => {
      const names = read(`[${playwright},${streamable},${sse}]`).servers.map(({ name }) => name);
      expect(names).toEqual(['playwright-mcp', 'my-streamable', 'my-sse']);
    },
  );

  verifies(['COMP-DEF-01', 'COMP-DEF-02', 'COMP-DEF-03', 'COMP-DEF-05', 'COMP-FILE-03'], 'inputs', () => {
    expect(read(inputs).inputs).toEqual([
      { type: 'promptString', id: 'API_TOKEN', description: 'API token for the server', default: null, password: true },
      {
        type: 'pickString',
        id: 'REGION',
        description: 'Select deployment region',
        options: ['us-east-1', 'eu-west-1'].map((value) => ({ label: value, value })),
        default: 'us-east-1',
      },
    ]);
  });

  verifies('COMP-FILE-01', 'servers and inputs in one file', () => {
    const { servers, inputs: found } = read(`{"servers":[${streamable}],"inputs":${inputs}}`);
    expect([servers.length, found.length]).toEqual([1, 2]);
  });
});

describe('the mcp-kit document', () => {
  verifies(['KIT-WRAP-01', 'KIT-WRAP-02'], 'the wrapper', () => {
    const server = readOne(`{
  "mcpServers": {
    "litellm": {
      "url": "http://localhost:4000/everything/mcp",
      "type": "http",
      "headers": { "Authorization": "Bearer sk-..." }
    }
  }
}`);
    expect(server.name).toBe('litellm');
    expect(server.origin.format).toBe('mcpServers');
    expect(server.transport).toMatchObject({
      type: 'streamable_http',
      url: 'http://localhost:4000/everything/mcp',
      http_headers: { Authorization: 'Bearer sk-...' },
    });
  });

  verifies(['KIT-MAP-01', 'KIT-MAP-02', 'KIT-MAP-03', 'KIT-MAP-04'], 'the bare map', () => {
    const config = read(`{
  "filesystem": {
    "command": "npx",
    "args": ["-y", "@modelcontextprotocol/server-filesystem", "/allowed/path"],
    "env": { "LOG_LEVEL": "debug" }
  }
}`);
    expect(config.client).toBeNull();
    expect(config.servers[0]?.origin.format).toBe('server-map');
    expect(config.servers[0]?.transport).toMatchObject({
      type: 'stdio',
      argv: ['npx', '-y', '@modelcontextprotocol/server-filesystem', '/allowed/path'],
      env: { LOG_LEVEL: 'debug' },
      inherit_env: false,
    });
  });

  verifies(['KIT-TOP-01', 'KIT-TOP-02', 'KIT-TOP-03', 'KIT-ROOTS-03'], 'the whole file', () => {
    const config = read(`{
  "version": 1,
  "client": {
    "protocol_version": "2025-06-18",
    "capabilities": {},
    "roots": [
      { "uri": "file:///repo", "name": "workspace" }
    ]
  },
  "servers": {
    "server_name": { "transport": "stdio", "argv": ["bin", "--stdio"] }
  }
}`);
    expect(config.client).toEqual({
      protocol_version: '2025-06-18',
      capabilities: {},
      roots: [{ uri: 'file:///repo', name: 'workspace' }],
    });
    expect(config.servers[0]?.transport).toMatchObject({ argv: ['bin', '--stdio'], inherit_env: false });
  });

  const server = (text: string) => readOne(`{"version":1,"servers":{"s":${text}}}`).transport;

  verifies(['KIT-STDIO-03', 'KIT-STDIO-04', 'KIT-STDIO-06', 'KIT-STDIO-07'], 'stdio', () => {
    const transport = server(`{
  "transport": "stdio",
  "argv": ["mcp-server-bin", "--stdio"],
  "env": { "KEY": "VALUE" },
  "stdout_log": {
    "path": "./.mcp-kit/logs/mcp/server.stdout.log",
    "max_bytes_per_part": 1048576,
    "max_parts": 32
  }
}`);
    expect(transport).toMatchObject({
      env: { KEY: 'VALUE' },
      stdout_log: { path: './.mcp-kit/logs/mcp/server.stdout.log', max_bytes_per_part: 1048576, max_parts: 32 },
    });
  });

  verifies('KIT-UNIX-01', 'unix', () => {
    expect(server('{ "transport": "unix", "unix_path": "/tmp/mcp.sock" }')).toEqual({
      type: 'unix',
      unix_path: '/tmp/mcp.sock',
    });
  });

  verifies(['KIT-HTTP-01', 'KIT-HTTP-03', 'KIT-HTTP-04', 'KIT-HTTP-05'], 'streamable_http', () => {
    const transport = server(`{
  "transport": "streamable_http",
  "url": "https://example.com/mcp",
  "http_headers": { "X-Client": "my-app" },
  "bearer_token_env_var": "MCP_TOKEN",
  "env_http_headers": { "X-Api-Key": "MCP_API_KEY" }
}`);
    expect(transport).toEqual({
      type: 'streamable_http',
      url: 'https://example.com/mcp',
      sse_url: null,
      http_headers: { 'X-Client': 'my-app' },
      bearer_token_env_var: 'MCP_TOKEN',
      env_http_headers: { 'X-Api-Key': 'MCP_API_KEY' },
      terminate_on_close: true,
    });
  });
});

describe('the protocol document', () => {
  verifies('SMCP-CONF-01', 'the flat shape of section 5.3', () => {
    const stdio = readOne({
      name: 'a',
      type: 'stdio',
      command: 'node',
      disabled: true,
      tool_meta: { t: { alias: 'u' } },
    });
    expect(stdio).toMatchObject({ disabled: true, tool_meta: { t: { alias: 'u' } }, transport: { argv: ['node'] } });
    const http = readOne({ name: 'a', type: 'http', url: 'https://e.example/mcp', disabled: false, tool_meta: {} });
    expect(http.transport).toMatchObject({ type: 'streamable_http', url: 'https://e.example/mcp' });
    const sse = readOne({ name: 'a', type: 'sse', url: 'https://e.example/sse', disabled: false, tool_meta: {} });
    expect(sse.transport.type).toBe('sse');
  });
});
