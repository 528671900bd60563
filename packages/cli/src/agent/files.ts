/** The `a2c agent` commands for resources, skills and files: `resources`, `skills`, `skill`, `put`. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ResourceContents } from '@a2c/agent';
import { oneLine } from '@a2c/protocol';
import { UsageError } from '../exit-codes.js';
import { requireRegularFile } from '../options.js';
import { print, printError, printJson, printRow } from '../output.js';
import { ProgressLine } from '../progress-line.js';
import type { AgentCommandOptions } from './agent-options.js';
import { query } from './queries.js';

/** `a2c agent resources COMPUTER SERVER [URI]` */
export async function resources(
  computer: string,
  server: string,
  uri: string | undefined,
  options: AgentCommandOptions & { readonly cursor?: string },
): Promise<void> {
  if (uri !== undefined) {
    const contents = await query(computer, options, (agent) => agent.readResource(computer, server, uri));
    if (options.json) return printJson(contents);
    for (const content of contents) print(textOf(content));
    return;
  }
  const { cursor } = options;
  const page = await query(computer, options, (agent) => agent.resources(computer, server, { cursor }));
  if (options.json) return printJson(page);
  for (const { uri: address, name, description = '' } of page.resources)
    printRow([address, name, oneLine(description)]);
  if (page.nextCursor !== undefined) printError(`there are more: --cursor ${page.nextCursor}`);
}

function textOf({ uri, text, mimeType }: ResourceContents): string {
  return typeof text === 'string' ? text : `${uri}: ${String(mimeType ?? 'binary')}; use --json`;
}

/** `a2c agent skills COMPUTER` */
export async function skills(computer: string, options: AgentCommandOptions): Promise<void> {
  const listed = await query(computer, options, (agent) => agent.skills(computer));
  if (options.json) return printJson(listed);
  for (const { name, description, tags = [] } of listed) printRow([name, oneLine(description), tags.join(' ')]);
  if (listed.length === 0) printError(`Computer "${computer}" offers no skills`);
}

/** `a2c agent skill COMPUTER NAME [PATH]` */
export async function skill(
  computer: string,
  name: string,
  path: string | undefined,
  options: AgentCommandOptions & { readonly out?: string },
): Promise<void> {
  const file = await query(computer, options, (agent) => agent.skill(computer, name, path));
  if (options.out !== undefined) {
    await writeFile(options.out, file.bytes);
    return;
  }
  if (options.json) return printJson({ ...file, bytes: Buffer.from(file.bytes).toString('base64') });
  const isBinary = file.bytes.includes(0);
  if (isBinary) throw new UsageError(`${file.path} is ${file.mimeType}: name a file for it with --out`);
  print(file.text.replace(/\n$/, ''));
}

/** `a2c agent put COMPUTER FILE` */
export async function put(
  computer: string,
  file: string,
  options: AgentCommandOptions & { readonly as?: string },
): Promise<void> {
  if (existsSync(file)) requireRegularFile(file);
  const data = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${file} cannot be read (${error.code})`, { cause: error });
  });
  const line = new ProgressLine();
  const onProgress = (sent: number) => {
    if (process.stderr.isTTY) line.show(`sent ${sent} of ${data.length} bytes`);
  };
  const name = options.as ?? basename(file);
  const landed = await query(computer, options, (agent) => agent.putBlob(computer, data, { name, onProgress })).finally(
    () => line.clear(),
  );
  if (options.json) printJson(landed);
  else print(landed.path);
}
