import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { TrustGuard, UNTRUSTED } from '@a2c/config';
import { verifies } from '@a2c/requirements';
import { describe, expect, onTestFinished } from 'vitest';
import { http, open, sse, temporaryFolder, until } from './harness.js';

const unix = (unix_path: string) => ({ type: 'unix', unix_path }) as const;

describe('a socket', () => {
  verifies('HUB-UNIX-03', 'that cannot be reached is named in the error, with the reason', async () => {
    const folder = await temporaryFolder();
    const [missing, file, long] = [join(folder, 'missing'), join(folder, 'file'), join(folder, 'x'.repeat(200))];
    await writeFile(file, '');
    const reason = async (path: string) =>
      (await open(unix(path))).start().catch((error: Error) => error.message.replace(path, 'PATH'));
    expect(await reason(missing)).toBe('cannot connect to the socket PATH: there is none; is the server running?');
    expect(await reason(file)).toMatch(
      /^cannot connect to the socket PATH: (it is not a socket|nothing listens there)/,
    );
    await expect(open(unix(long))).rejects.toThrow('is longer than');
    await expect(open(http(`http+unix://${encodeURIComponent(long)}/`))).rejects.toThrow('is longer than');
  });

  verifies(['KIT-UNIX-03', 'HUB-UNIX-04'], 'is not for the untrusted, over HTTP neither', async () => {
    const guard = new TrustGuard({ ...UNTRUSTED, allow_localhost: true, allow_private_ip: true });
    const url = 'http+unix://%2Ftmp%2Fmcp.sock/mcp';
    for (const transport of [unix('/tmp/mcp.sock'), http(url), sse(url), http('https://e.example', { sse_url: url })]) {
      await expect(open(transport, { guard })).rejects.toThrow('rule unix-socket');
    }
  });

  verifies('HUB-UNIX-03', 'that the server closes ends the connection once, after the last message', async () => {
    const path = join(await temporaryFolder(), 's');
    const listener = createServer((socket) => {
      socket.end('{"jsonrpc":"2.0","method":"notifications/message"}\n{"jsonrpc":"2.0","id":7,"result":{}}');
    }).listen(path);
    onTestFinished(() => void listener.close());
    await once(listener, 'listening');
    const transport = await open(unix(path));
    const heard: unknown[] = [];
    transport.onmessage = (message) => heard.push('id' in message ? message.id : 'notification');
    transport.onclose = () => heard.push('closed');
    await transport.start();
    await until(() => heard.includes('closed'), 'the end');
    await transport.close();
    expect(heard).toEqual(['notification', 7, 'closed']);
    expect(transport.diagnostics().ended).toBe('the server closed the socket');
  });
});
