import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { child, type ServerSpec } from './client-toolbox.js';

const { resolve } = createRequire(import.meta.url);
const script = (name: string) => join(dirname(resolve(`${name}/package.json`)), 'dist/index.js');

/** Every feature of MCP, for testing clients. */
export const EVERYTHING = script('@modelcontextprotocol/server-everything');

export const everything = (name = 'everything'): ServerSpec => child(name, EVERYTHING);

/** Files below a folder. */
export const filesystem = (folder: string): ServerSpec =>
  child('filesystem', script('@modelcontextprotocol/server-filesystem'), folder);

/** Processes take their time to start on a busy machine. */
export const WITH_PROCESSES = { timeout: 60_000 };
