import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Agent } from '@a2c/agent';
import { verifies } from '@a2c/requirements';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, onTestFinished } from 'vitest';
import { COMMAND, Workplace } from './a2c.js';

const ODD = fileURLToPath(new URL('odd-server.mjs', import.meta.url));

/** A folder whose configuration has the server twice, over stdio and over HTTP. */
async function workplace(): Promise<Workplace> {
  const http = spawn(process.execPath, [ODD, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void http.kill());
  const [port] = (await once(http.stdout, 'data')) as [Buffer];
  const approved = { default_tool_meta: { auto_apply: true } };
  return new Workplace({
    'servers.json': [
      { name: 'pipe', type: 'stdio', server_parameters: { command: process.execPath, args: [ODD] }, ...approved },
      {
        name: 'web',
        type: 'streamable',
        server_parameters: { url: `http://127.0.0.1:${String(port).trim()}/` },
        ...approved,
      },
    ],
  });
}

describe('An MCP server whose notifications have wrong fields', () => {
  verifies(['SEC-FIELD-02', 'SEC-FIELD-01'], 'does not end a Computer, and its calls have results', async () => {
    const place = await workplace();
    const up = spawn(process.execPath, [COMMAND, 'up', '--port', '0', '--name', 'pc', '--config', 'servers.json'], {
      cwd: place.folder,
      env: { ...process.env, A2C_HOME: place.home },
    });
    onTestFinished(() => void up.kill('SIGKILL'));
    const [line] = (await once(up.stdout, 'data')) as [Buffer];
    const agent = await Agent.connect({ url: String(line).slice(6).trim(), office: 'demo', name: 'bot' });
    onTestFinished(() => agent.close());
    await agent.ready();
    for (const tool of ['odd_stdio', 'odd_http', 'odd_stdio', 'odd_http']) {
      const progress: { readonly progress: number; readonly message?: string | undefined }[] = [];
      const result = await agent.callTool('pc', tool, {}, { onProgress: (each) => void progress.push(each) });
      expect(result).toMatchObject({ isError: false, content: [{ text: 'ran' }] });
      expect(progress.length).toBeGreaterThan(0);
      for (const each of progress)
        expect([typeof each.progress, typeof (each.message ?? '')]).toEqual(['number', 'string']);
    }
    up.kill('SIGTERM');
    expect(await once(up, 'exit')).toEqual([0, null]);
  });

  verifies(['SEC-FIELD-02', 'SEC-FIELD-01'], 'does not end a proxy, and its calls have results', async () => {
    const place = await workplace();
    for (const more of [[], ['--pass-through']]) {
      const args = [COMMAND, 'proxy', '--config', 'servers.json', ...more];
      const env = { ...(process.env as Record<string, string>), A2C_HOME: place.home };
      const client = new Client({ name: 'test', version: '1' });
      onTestFinished(() => client.close());
      await client.connect(
        new StdioClientTransport({ command: process.execPath, args, cwd: place.folder, env, stderr: 'ignore' }),
      );
      await client.listTools();
      for (const tool of ['odd_stdio', 'odd_http', 'odd_stdio', 'odd_http']) {
        const server_name = tool === 'odd_stdio' ? 'pipe' : 'web';
        const call =
          more.length > 0
            ? { name: tool, arguments: {} }
            : { name: 'exec', arguments: { server_name, tool_name: tool, arguments: {} } };
        const result = await client.callTool(call, { onprogress: () => {} });
        expect(result.content).toEqual([{ type: 'text', text: 'ran' }]);
      }
    }
  });
});
