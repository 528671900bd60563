import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { errorsOf, read, readOne, warningsOf } from './reading.js';

describe('vscode', () => {
  verifies('CONF-VSCODE-01', 'comments, trailing commas, inputs and placeholders', () => {
    const config = read(`{
      // asked for once
      "inputs": [
        { "type": "promptString", "id": "key", "description": "API key", "password": true, },
        { "type": "pickString", "id": "region", "description": "Where", "options": ["eu", { "label": "US", "value": "us" }] },
      ],
      "servers": {
        "perplexity": {
          "type": "stdio",
          "command": "npx", /* on PATH */
          "args": ["-y", "server-perplexity-ask"],
          "env": { "KEY": "\${input:key}", "RETRIES": 3, "UNSET": null, "EMPTY": "" },
          "envFile": "\${workspaceFolder}/.env",
        },
        "fetch": { "type": "http", "url": "https://e.example/mcp", "headers": { "X-Key": "\${input:key}" } },
        "old": { "type": "sse", "url": "https://e.example/sse" },
      },
    }`);
    expect(config.warnings).toEqual([]);
    expect(config.servers.map(({ name, transport }) => [name, transport.type])).toEqual([
      ['perplexity', 'stdio'],
      ['fetch', 'streamable_http'],
      ['old', 'sse'],
    ]);
    expect(config.servers[0]?.transport).toMatchObject({
      env: { KEY: '${input:key}', RETRIES: '3', EMPTY: '' },
      env_file: '${workspaceFolder}/.env',
    });
    expect(config.inputs).toEqual([
      { type: 'promptString', id: 'key', description: 'API key', password: true, default: null },
      {
        type: 'pickString',
        id: 'region',
        description: 'Where',
        options: [
          { label: 'eu', value: 'eu' },
          { label: 'US', value: 'us' },
        ],
        default: null,
      },
    ]);
  });

  verifies('CONF-VSCODE-01', 'a command of the editor is not run as a program', () => {
    const document = { servers: {}, inputs: [{ type: 'command', id: 'c', command: 'extension.pick', args: { a: 1 } }] };
    expect(read(document).inputs).toEqual([
      { type: 'promptString', id: 'c', description: '', password: false, default: null },
    ]);
    expect(warningsOf(document)).toEqual([
      '/inputs/0/type: only VS Code can run this command; you will be asked for the value instead',
    ]);
  });

  verifies('CONF-VSCODE-01', 'unknown keys are warnings, wrong values errors', () => {
    expect(warningsOf({ servers: { s: { command: 'x', sandbox: true } }, mcp: 1 })).toEqual(
      [
        '/mcp: "mcp" is unknown and has no effect',
        '/servers/s/sandbox: "sandbox" is unknown and has no effect',
      ].toSorted((a) => (a.startsWith('/servers') ? -1 : 1)),
    );
    expect(warningsOf({ servers: { s: { command: 'x', dev: {}, gallery: true } } })).toEqual([]);
    expect(errorsOf({ servers: {}, inputs: {} })).toEqual(['/inputs: expected a list of inputs']);
    expect(errorsOf({ servers: 7 })).toEqual(['/servers: expected an object with a server under each name']);
    expect(readOne({ servers: { s: { url: 'https://e.example' } } }).transport.type).toBe('streamable_http');
  });
});
