import { spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import { run, script } from './hub.js';

/**
 * Runs a2c with these descriptors open, each of `folder`, and a server in a sandbox. Returns the descriptors that the
 * program of the server got besides its pipes.
 */
export async function descriptorsInSandbox(folder: string, open: readonly number[], path: string): Promise<string[]> {
  const server = { ...run('prisoner.mjs'), sandbox: { read: [dirname(script('prisoner.mjs'))] } };
  const config = join(folder, 'mcp.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { prisoner: server } }));
  const command = [join(inject('commands'), 'a2c.js'), 'mcp', 'call', 'prisoner', 'descriptors', '--trust'];
  const descriptor = openSync(folder, 'r');
  const stdio = Array.from({ length: Math.max(...open) + 1 }, (_, index) => {
    if (index < 3) return 'pipe';
    return open.includes(index) ? descriptor : 'ignore';
  });
  const env = { ...process.env, PATH: path, A2C_HOME: folder, A2C_VAULT: 'file' };
  const child = spawn(process.execPath, [...command, '--config', config], { cwd: folder, env, stdio });
  closeSync(descriptor);
  child.stdin?.end();
  const [out, errors] = await Promise.all(
    [child.stdout, child.stderr].map((each) => text(each as NodeJS.ReadableStream)),
  );
  const { content } = JSON.parse(out || JSON.stringify({ content: [{ text: errors }] })) as {
    content: [{ text: string }];
  };
  return content[0].text.split('\n');
}
