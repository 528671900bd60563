import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { WatchedProcess } from './watched-process.js';

/** Secrets. They must appear nowhere but where they were put. */
export const CANARIES = {
  /** Of the program itself: in its environment, or sent to the Server by honest members. */
  apiKey: 'canary-api-key-5e1f0c77',
  input: 'canary-input-91b2d3aa',
  /** Of one MCP server: in its configuration and its environment. */
  server: 'canary-server-3c9a77f0',
} as const;

/** Any secret. */
export const CANARY_PATTERN = /canary-(?:api-key|input|server)-[0-9a-f]{8}/;
/** A secret that no MCP server may have. */
const FOREIGN_PATTERN = /canary-(?:api-key|input)-[0-9a-f]{8}/;

/** The files below a folder that hold a secret, except those in which it was put. */
export function filesWithCanary(folder: string, except: ReadonlySet<string>): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !except.has(name) && statSync(join(folder, name)).isFile())
    .filter((name) => CANARY_PATTERN.test(readFileSync(join(folder, name), 'latin1')))
    .map((name) => `a secret is in the file ${name}`);
}

/** The processes that a process has started with a secret in their arguments or their environment. */
export function childrenWithCanary(parent: WatchedProcess): string[] {
  return parent
    .descendants()
    .flatMap(({ pid, args, env }) => [
      ...(CANARY_PATTERN.test(args) ? [`a secret is in the arguments of process ${pid}: ${args}`] : []),
      ...(FOREIGN_PATTERN.test(env) ? [`a secret is in the environment of process ${pid}`] : []),
    ]);
}
