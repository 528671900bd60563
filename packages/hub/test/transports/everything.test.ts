import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import type { Transport } from '@a2c/config';
import { type RequirementId, verifies } from '@a2c/requirements';
import { describe, expect, onTestFinished } from 'vitest';
import { call, connect, http, sse, stdio, until } from './harness.js';

/** The reference server of the MCP project, which speaks the older generation on all three of its transports. */
const EVERYTHING = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts it on a port and waits until it says so. */
async function listening(mode: 'sse' | 'streamableHttp'): Promise<string> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, [EVERYTHING, mode], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  // Listened to until the end: it goes on talking, and would die of a closed pipe.
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += String(chunk);
  });
  await until(() => output.includes(`on port ${port}`), 'the server');
  return `http://127.0.0.1:${port}`;
}

const ways: [RequirementId, string, () => Promise<Transport>][] = [
  ['HUB-STDIO-01', 'stdio', async () => stdio([process.execPath, EVERYTHING, 'stdio'])],
  ['HUB-HTTP-01', 'streamable HTTP', async () => http(`${await listening('streamableHttp')}/mcp`)],
  ['HUB-SSE-01', 'SSE', async () => sse(`${await listening('sse')}/sse`)],
];

describe('server-everything', () => {
  for (const [id, name, target] of ways) {
    verifies(
      id,
      `works over ${name}`,
      async () => {
        const { client, transport } = await connect(await target());
        expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('echo');
        expect(await call(client, 'echo', { message: 'grüße' })).toContain('grüße');
        const heard: number[] = [];
        const onprogress = ({ progress }: { progress: number }) => void heard.push(progress);
        await call(client, 'trigger-long-running-operation', { duration: 0.3, steps: 3 }, { onprogress });
        expect(heard).toEqual([1, 2, 3]);
        expect((await client.listResources()).resources.length).toBeGreaterThan(0);
        await client.close();
        expect(transport.diagnostics().junkLines).toBe(0);
      },
      { timeout: 30_000 },
    );
  }
});
