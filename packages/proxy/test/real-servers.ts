import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { atEnd } from './doors.js';
import type { ServerSpec } from './hub-over.js';

const { resolve } = createRequire(import.meta.url);
const script = (name: string) => join(dirname(resolve(`${name}/package.json`)), 'dist/index.js');

/** The reference server with every feature of MCP. */
export const EVERYTHING = script('@modelcontextprotocol/server-everything');

interface ChildSpec extends ServerSpec {
  readonly args: readonly string[];
}

function child(name: string, ...args: string[]): ChildSpec {
  return { name, args, entry: async () => ({ command: process.execPath, args }) };
}

export const everything = (name = 'everything'): ChildSpec => child(name, EVERYTHING);

/** The filesystem server over one folder. */
export const filesystem = (folder: string): ChildSpec =>
  child('filesystem', script('@modelcontextprotocol/server-filesystem'), folder);

/** A client with a direct connection to the server. */
export async function directly({ args }: ChildSpec): Promise<Client> {
  const client = new Client({ name: 'direct', version: '1' });
  atEnd(() => client.close());
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [...args], stderr: 'ignore' }));
  return client;
}
