import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface CorpusTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: Record<string, unknown>;
}

const folder = `${process.env.A2C_SHARED ?? fileURLToPath(new URL('../../../../shared', import.meta.url))}/corpus`;

/** Tool lists of public servers. Empty if they are not available: they are not part of the repository. */
export function corpusTools(): readonly CorpusTool[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.flatMap((file) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')).tools as CorpusTool[]);
}
