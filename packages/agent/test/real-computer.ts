import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Computer, type ComputerOptions, OfficeLink, type OfficeLinkOptions } from '@a2c/computer';
import { readConfig } from '@a2c/config';
import { onTestFinished } from 'vitest';

const JOURNAL_SERVER = fileURLToPath(new URL('servers/journal.mjs', import.meta.url));

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

export interface RealComputerOptions {
  readonly name?: string;
  readonly office?: string;
  readonly link?: Partial<OfficeLinkOptions>;
  readonly own?: Partial<ComputerOptions>;
  readonly autoApply?: boolean;
}

export interface RealComputer {
  readonly computer: Computer;
  readonly link: OfficeLink;
  /** The lines that its MCP server, a separate process, has written to the journal. */
  readonly journal: () => readonly string[];
}

/** A real Computer in an office, with an MCP server as a child process. */
export async function realComputer(
  url: string,
  { name = 'pc', office = 'o', link: how = {}, own = {}, autoApply = true }: RealComputerOptions = {},
): Promise<RealComputer> {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-agent-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const journal = join(folder, 'journal');
  writeFileSync(journal, '');
  const server = {
    name: 'journal',
    type: 'stdio',
    server_parameters: { command: process.execPath, args: [JOURNAL_SERVER], env: { JOURNAL: journal } },
    default_tool_meta: { auto_apply: autoApply },
  };
  const { config } = readConfig(JSON.stringify([server]), { file: 'journal.json' });
  const computer = new Computer({ name, mcpServers: config?.servers ?? [], logger: quiet, ...own });
  onTestFinished(() => computer.close());
  await computer.boot();
  const link = new OfficeLink(computer, { url, logger: quiet, ...how });
  onTestFinished(() => link.disconnect());
  await link.connect(office);
  await link.joinOffice(office);
  return { computer, link, journal: () => readFileSync(journal, 'utf8').split('\n').filter(Boolean) };
}
