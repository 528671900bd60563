import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { deepFreeze, type JsonObject } from '../json/json-value.js';
import type { MCPConfig } from '../model/mcp-config.js';
import type { ServerConfig, Transport } from '../model/server-config.js';
import type { Problem } from '../problems.js';
import { translateValue } from '../writers/translate-placeholders.js';
import {
  CLIENT_NAMES,
  CLIENT_TITLES,
  type ClientFile,
  type ClientName,
  clientFiles,
  type Machine,
  thisMachine,
} from './client-files.js';
import { mergeServers, tellMerge } from './merge-servers.js';
import { type ClientFileContent, type FoundServer, readClientFile } from './read-client-file.js';
import { SecretsToInputs } from './secrets-to-inputs.js';

export interface ImportOptions extends Partial<Machine> {
  /** Only these clients; all by default. */
  readonly from?: readonly ClientName[];
}

export interface ImportedServer {
  /** As it will be written: without a secret. */
  readonly server: ServerConfig;
  readonly sources: readonly (ClientFile & { readonly name: string })[];
}

export interface Imported {
  /** Where was looked, in this order. */
  readonly looked: readonly ClientFile[];
  /** The files that exist. */
  readonly files: readonly (ClientFile & { readonly servers: number })[];
  readonly servers: readonly ImportedServer[];
  /** Ready to be written; `inputs` stand for the secrets. */
  readonly config: MCPConfig;
  /** Names that changed, servers that are one, and what was left out. */
  readonly notes: readonly string[];
  readonly problems: readonly Problem[];
}

/** The MCP servers that other clients on this machine are configured with. Reads files, starts nothing, writes nothing. */
export async function importServers({ from = CLIENT_NAMES, ...machine }: ImportOptions = {}): Promise<Imported> {
  const usual = clientFiles(thisMachine(machine)).filter(({ client }) => from.includes(client));
  const looked = (await Promise.all(usual.map(withProfiles))).flat();
  const contents = (await Promise.all(looked.map(readClientFile))).filter((content) => content !== undefined);
  const secrets = new SecretsToInputs();
  const found = contents.flatMap((content) => withAdoptedInputs(content, secrets));
  const ourselves = found.filter(isOurProxy);
  const merged = mergeServers(found.filter((one) => !isOurProxy(one)));
  const servers = merged.map(({ server, sources }) => ({
    server: secrets.clean(server),
    sources: sources.map(({ client, file, project, server: { name } }) => ({ client, file, project, name })),
  }));
  return deepFreeze({
    looked,
    files: contents.map(({ client, file, project, servers: held }) => ({
      client,
      file,
      project,
      servers: held.length,
    })),
    servers,
    config: {
      format: 'a2c',
      servers: servers.map(({ server }) => server).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      inputs: secrets.inputs,
      client: null,
      proxy: null,
    },
    notes: [
      ...ourselves.map(({ server, client }) => `"${server.name}" of ${CLIENT_TITLES[client]} is a2c itself; left out`),
      ...merged.flatMap(tellMerge),
    ],
    problems: contents.flatMap(({ problems }) => problems),
  } satisfies Imported);
}

/** VS Code keeps another file for each profile that was added; only the folder tells which there are. */
async function withProfiles(place: ClientFile): Promise<ClientFile[]> {
  const { client, file, project } = place;
  if (client !== 'vscode' || project !== null || basename(file) !== 'mcp.json') return [place];
  const folder = join(dirname(file), 'profiles');
  const names = await readdir(folder).catch(() => []); // No folder: no profiles.
  return [place, ...names.toSorted().map((name) => ({ ...place, file: join(folder, name, 'mcp.json') }))];
}

/** What `a2c config export` gave the client. A proxy in front of itself would start itself for ever. */
function isOurProxy({ server: { transport } }: FoundServer): boolean {
  if (transport.type !== 'stdio') return false;
  const words = transport.argv;
  return words.some((word, index) => /^a2c(?:\.js|\.cmd)?$/.test(basename(word)) && words[index + 1] === 'proxy');
}

/** Inputs that the servers of a file mention move along; one whose id is taken by another gets a new id. */
function withAdoptedInputs({ servers, inputs }: ClientFileContent, secrets: SecretsToInputs): FoundServer[] {
  const ids = new Map<string, string>();
  const adopt = (id: string): string | undefined => {
    const definition = inputs.find((input) => input.id === id);
    if (definition && !ids.has(id)) ids.set(id, secrets.adopt(definition));
    return ids.get(id);
  };
  return servers.map((found) => {
    const transport = translateValue(found.server.transport as unknown as JsonObject, (text) =>
      text.replaceAll(/\$\{input:([^}]*)\}/g, (whole, id: string) => {
        const known = adopt(id);
        return known === undefined ? whole : `\${input:${known}}`;
      }),
    ) as unknown as Transport;
    return { ...found, server: { ...found.server, transport } };
  });
}
