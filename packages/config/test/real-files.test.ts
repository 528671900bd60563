import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { read } from './reading.js';

/** Files as the tools write and document them. All must be read without warnings. */
const files: Readonly<
  Record<string, { readonly text: string; readonly reads: readonly (readonly [string, string])[] }>
> = {
  'claude_desktop_config.json': {
    text: `{
      "mcpServers": {
        "filesystem": {
          "command": "npx",
          "args": ["-y", "@modelcontextprotocol/server-filesystem", "/Users/me/Desktop"]
        },
        "github": {
          "command": "docker",
          "args": ["run", "-i", "--rm", "-e", "GITHUB_PERSONAL_ACCESS_TOKEN", "ghcr.io/github/github-mcp-server"],
          "env": { "GITHUB_PERSONAL_ACCESS_TOKEN": "<YOUR_TOKEN>" }
        }
      },
      "globalShortcut": ""
    }`,
    reads: [
      ['filesystem', 'stdio'],
      ['github', 'stdio'],
    ],
  },
  'Claude Code .mcp.json': {
    text: `{
      "mcpServers": {
        "paypal": { "type": "http", "url": "https://mcp.paypal.example/mcp" },
        "asana": { "type": "sse", "url": "https://mcp.asana.example/sse", "headers": { "X-API-Key": "\${ASANA_KEY:-none}" } },
        "db": { "type": "stdio", "command": "npx", "args": ["-y", "@bytebase/dbhub"], "env": { "CACHE_DIR": "/tmp" } },
        "plugin": { "command": "\${CLAUDE_PLUGIN_ROOT}/servers/db-server", "args": ["--config", "\${CLAUDE_PLUGIN_ROOT}/c.json"] }
      }
    }`,
    reads: [
      ['paypal', 'streamable_http'],
      ['asana', 'sse'],
      ['db', 'stdio'],
      ['plugin', 'stdio'],
    ],
  },
  '~/.cursor/mcp.json': {
    text: `{
      "mcpServers": {
        "server-name": { "command": "npx", "args": ["-y", "mcp-server"], "env": { "API_KEY": "\${env:API_KEY}" }, "envFile": ".env" },
        "remote": { "url": "http://localhost:3000/mcp", "headers": { "API_KEY": "\${env:MY_KEY}" } }
      }
    }`,
    reads: [
      ['server-name', 'stdio'],
      ['remote', 'streamable_http'],
    ],
  },
  '.vscode/mcp.json': {
    text: `{
      "inputs": [{ "type": "promptString", "id": "perplexity-key", "description": "Perplexity API Key", "password": true }],
      "servers": {
        // https://example.com
        "Perplexity": {
          "type": "stdio",
          "command": "npx",
          "args": ["-y", "server-perplexity-ask"],
          "env": { "PERPLEXITY_API_KEY": "\${input:perplexity-key}" }
        },
        "fetch": { "type": "stdio", "command": "uvx", "args": ["mcp-server-fetch"], "cwd": "\${workspaceFolder}" },
        "github": { "type": "http", "url": "https://api.example.com/mcp/" },
      }
    }`,
    reads: [
      ['Perplexity', 'stdio'],
      ['fetch', 'stdio'],
      ['github', 'streamable_http'],
    ],
  },
  'MCPX config.json': {
    text: `{
      "mcpServers": {
        "filesystem": { "type": "stdio", "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/tmp"], "env": null, "enabled": true },
        "search": { "type": "http", "url": "http://127.0.0.1:8080/sse", "headers": null }
      },
      "health_check_enabled": true,
      "health_check_interval": 30,
      "toon_compression_enabled": true,
      "toon_compression_min_size": 3,
      "schema_compression_enabled": true
    }`,
    reads: [
      ['filesystem', 'stdio'],
      ['search', 'sse'],
    ],
  },
};

describe('a real file', () => {
  for (const [name, { text, reads }] of Object.entries(files)) {
    verifies(['CONF-MODEL-02', 'CONF-COMPAT-02'], name, () => {
      const config = read(text);
      expect(config.servers.map(({ name: server, transport }) => [server, transport.type])).toEqual(reads);
      expect(config.warnings).toEqual([]);
    });
  }
});
