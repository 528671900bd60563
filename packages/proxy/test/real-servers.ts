import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { atEnd } from './doors.js';
import type { ServerSpec } from './hub-over.js';

const { resolve } = createRequire(import.meta.url);
const script = (name: string) => join(dirname(resolve(`${name}/package.json`)), 'dist/index.js');

/** Every feature of MCP, for testing clients. */
export const EVERYTHING = script('@modelcontextprotocol/server-everything');

interface ChildSpec extends ServerSpec {
  readonly args: readonly string[];
}

function child(name: string, ...args: string[]): ChildSpec {
  return { name, args, entry: async () => ({ command: process.execPath, args }) };
}

export const everything = (name = 'everything'): ChildSpec => child(name, EVERYTHING);

/** Files below a folder. */
export const filesystem = (folder: string): ChildSpec =>
  child('filesystem', script('@modelcontextprotocol/server-filesystem'), folder);

/** A client of the server itself, without us. */
export async function directly({ args }: ChildSpec): Promise<Client> {
  const client = new Client({ name: 'direct', version: '1' });
  atEnd(() => client.close());
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [...args], stderr: 'ignore' }));
  return client;
}

/** Processes take their time to start on a busy machine. */
export const WITH_PROCESSES = { timeout: 60_000 };
