import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { inject } from 'vitest';
import { atEnd } from './doors.js';
import type { ServerSpec } from './hub-over.js';

/** The reference server with every feature of MCP. */
export const EVERYTHING = join(inject('commands'), 'everything.js');

interface ChildSpec extends ServerSpec {
  readonly args: readonly string[];
}

function child(name: string, ...args: string[]): ChildSpec {
  return { name, args, entry: async () => ({ command: process.execPath, args }) };
}

export const everything = (name = 'everything'): ChildSpec => child(name, EVERYTHING);

/** The filesystem server over one folder. */
export const filesystem = (folder: string): ChildSpec =>
  child('filesystem', join(inject('commands'), 'filesystem.js'), folder);

/** A client with a direct connection to the server. */
export async function directly({ args }: ChildSpec): Promise<Client> {
  const client = new Client({ name: 'direct', version: '1' });
  atEnd(() => client.close());
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [...args], stderr: 'ignore' }));
  return client;
}
