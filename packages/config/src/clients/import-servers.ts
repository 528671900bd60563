import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { deepFreeze } from '../json/json-value.js';
import type { MCPConfig } from '../model/mcp-config.js';
import type { ServerConfig } from '../model/server-config.js';
import { mapTexts, replacePlaceholders } from '../placeholders/syntax.js';
import type { Problem } from '../problems.js';
import {
  CLIENT_NAMES,
  CLIENT_TITLES,
  type ClientFile,
  type ClientName,
  clientFiles,
  type Machine,
  thisMachine,
} from './client-files.js';
import { type MergedServer, mergeNotes, mergeServers } from './merge-servers.js';
import { type ClientFileContent, type FoundServer, readClientFile } from './read-client-file.js';
import { SecretsToInputs } from './secrets-to-inputs.js';

/** Which clients to import from, and the machine to search; this machine by default. */
export interface ImportOptions extends Partial<Machine> {
  /** Only these clients; all by default. */
  readonly from?: readonly ClientName[];
}

/** One MCP server and the client files it was found in. */
export interface ImportedServer {
  /** The server without secrets: each is replaced by an input placeholder. */
  readonly server: ServerConfig;
  /** Every file that holds the server, with the name it has there. */
  readonly sources: readonly (ClientFile & { readonly name: string })[];
}

/** Everything that `importServers` found. */
export interface ImportResult {
  /** The paths that were searched, in order. */
  readonly searched: readonly ClientFile[];
  /** The files that exist, with the number of servers in each. */
  readonly files: readonly (ClientFile & { readonly servers: number })[];
  readonly servers: readonly ImportedServer[];
  /** The configuration to write. Its `inputs` replace the secrets. */
  readonly config: MCPConfig;
  /** The secrets that the inputs replaced, by id. A function: printing the result must not show them. */
  readonly secrets: () => Readonly<Record<string, string>>;
  /** Servers that were renamed, merged or left out. */
  readonly notes: readonly string[];
  /** Files and entries that could not be read. */
  readonly problems: readonly Problem[];
}

/**
 * Collects the MCP servers that other clients on this machine are configured with. It only reads files: it starts and
 * writes nothing.
 *
 * @example
 * ```ts
 * const { config, notes } = await importServers({ from: ['cursor', 'vscode'] });
 * console.log(JSON.stringify(convertConfig(config, 'a2c').document, null, 2), notes);
 * ```
 */
export async function importServers({ from = CLIENT_NAMES, ...machine }: ImportOptions = {}): Promise<ImportResult> {
  const usual = clientFiles(thisMachine(machine)).filter(({ client }) => from.includes(client));
  const searched = (await Promise.all(usual.map(withProfiles))).flat();
  const contents = (await Promise.all(searched.map(readClientFile))).filter((content) => content !== undefined);
  const secrets = new SecretsToInputs();
  // Those of the user first: no file of a project takes the id of an input of the user.
  const usersFirst = contents.toSorted((a, b) => Number(a.project !== null) - Number(b.project !== null));
  const found = usersFirst.flatMap((content) => withAdoptedInputs(content, secrets));
  const proxies = found.filter(isA2cProxy);
  const merged = mergeServers(found.filter((one) => !isA2cProxy(one)));
  const servers = merged.map(({ server, sources }) => ({
    server: secrets.clean(server, sources[0]?.isOfProject === true),
    sources: sources.map(({ client, file, project, server: { name } }) => ({ client, file, project, name })),
  }));
  return deepFreeze({
    searched,
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
    secrets: () => Object.fromEntries(secrets.values),
    notes: [
      ...proxies.map(({ server, client }) => `"${server.name}" of ${CLIENT_TITLES[client]} is a2c itself; left out`),
      ...merged.flatMap(mergeNotes),
      ...merged.flatMap(projectNote),
    ],
    problems: contents.flatMap(({ problems }) => problems),
  } satisfies ImportResult);
}

/** VS Code has one more file per profile. The profiles are the entries of a folder. */
async function withProfiles(candidate: ClientFile): Promise<ClientFile[]> {
  const { client, file, project } = candidate;
  if (client !== 'vscode' || project !== null || basename(file) !== 'mcp.json') return [candidate];
  const folder = join(dirname(file), 'profiles');
  const names = await readdir(folder).catch(() => []); // No folder: no profiles.
  return [candidate, ...names.toSorted().map((name) => ({ ...candidate, file: join(folder, name, 'mcp.json') }))];
}

/** The entry that `a2c config export` writes. Importing it would make the proxy start itself without end. */
function isA2cProxy({ server: { transport } }: FoundServer): boolean {
  if (transport.type !== 'stdio') return false;
  const words = transport.argv;
  return words.some((word, index) => /^a2c(?:\.js|\.cmd)?$/.test(basename(word)) && words[index + 1] === 'proxy');
}

/** A file with imported servers is trusted, and those of a project may be the choice of others. */
function projectNote({ server: { name }, sources: [first] }: MergedServer): string[] {
  if (!first?.isOfProject) return [];
  return [`"${name}" is from ${first.file}, a file of this project: use it only if you trust the project`];
}

/**
 * Takes over the inputs that the servers of a file refer to. An input whose id is already in use gets a new id, also
 * one that the file does not define: it must not refer to a secret of another file.
 */
function withAdoptedInputs(
  { servers, inputs, file, project }: ClientFileContent,
  secrets: SecretsToInputs,
): FoundServer[] {
  const ids = new Map<string, string>();
  const undefinedInput = (id: string) =>
    ({ id, type: 'promptString', description: `${id} (${file})`, default: null, password: true }) as const;
  const adopt = (id: string): string => {
    const known = ids.get(id);
    if (known !== undefined) return known;
    const adopted = secrets.adopt(inputs.find((input) => input.id === id) ?? undefinedInput(id), project);
    ids.set(id, adopted);
    return adopted;
  };
  return servers.map((found) => {
    const transport = mapTexts(found.server.transport, (text) =>
      replacePlaceholders(text, (placeholder, name) =>
        name.startsWith('input:') ? `\${input:${adopt(name.slice('input:'.length))}}` : placeholder,
      ),
    );
    return { ...found, server: { ...found.server, transport } };
  });
}
