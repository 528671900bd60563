import {
  type AgentScope,
  bundleIdOfName,
  type ComputerRequest,
  isPermitted,
  isRecord,
  isToolPermitted,
  mayDenyByFullName,
  QualifiedNames,
  type RelayedEvent,
  SMCPError,
  unwrapAnswer,
} from '@a2c/protocol';
import type { Member } from '../rooms/registry.js';
import { inTurns, serverNames, turnFor } from './conversions.js';
import type { BlobSource } from './inline-blobs.js';
import { type Answer, decoded } from './pending-calls.js';
import {
  aliasOf,
  type Catalogue,
  indexed,
  isReadable,
  type Listed,
  listedIn,
  outOfScope,
  readList,
  scopeNames,
  serverOf,
  shortName,
  shortNames,
  toolServer,
} from './tool-list-cache.js';

/** Requests whose answers concern MCP servers, and do not say which. */
const OF_SERVERS: ReadonlySet<RelayedEvent> = new Set<RelayedEvent>([
  'client:get_config',
  'client:get_desktop',
  'client:get_resources',
  'client:get_skills',
  'client:get_skill',
  'client:get_blob',
]);

/**
 * The Server alone enforces the limits of keys at Computers of other makers, which do not know them. It refuses what it
 * cannot decide on.
 *
 * @throws SMCPError 403 for a request that cannot be limited to MCP servers
 */
export function assertLimitable(event: RelayedEvent, { servers }: AgentScope, { name }: Member): void {
  if (servers === undefined || !OF_SERVERS.has(event)) return;
  const message = `this key is limited to some MCP servers, and Computer "${name}" cannot limit its answer to them`;
  throw new SMCPError('Forbidden', `${message}; call its tools, or ask for a key without "servers"`);
}

/** @throws SMCPError 403 unless all tools that the name may mean are in the scope */
export function assertToolInScope(catalogue: Catalogue, scope: AgentScope, name: string): void {
  if (!scopeCheck(scope, catalogue)(name)) throw outOfScope(`the tool "${name.slice(0, 100)}"`);
}

/** So many tools may have one name. No honest Computer has more, and each call would check all of them. */
const MAX_MEANT = 16;

/** Returns a function that checks names. Each name of a list is checked once. */
function scopeCheck(scope: AgentScope, catalogue: Catalogue): (name: string) => boolean {
  const verdicts = new Map<string, boolean>();
  return (name) => {
    const known = verdicts.get(name);
    if (known !== undefined) return known;
    const meant = catalogue.tools.get(name) ?? [];
    const isClear = meant.length > 0 && meant.length <= MAX_MEANT;
    const verdict = isClear && meant.every((tool) => isInScope(tool, scope, catalogue));
    verdicts.set(name, verdict);
    return verdict;
  };
}

function isInScope(tool: Listed, { tools, servers }: AgentScope, known: Catalogue): boolean {
  // Its own name is not listed, and may be denied.
  const isNameHidden = shortName(tool) === aliasOf(tool);
  if (isNameHidden && tools?.some((pattern) => pattern.startsWith('!'))) return false;
  const bundleId = serverOf(tool) ?? (bundleIdOfName(toolServer(tool) ?? '') || undefined);
  const configured = known.servers.get(bundleId ?? '');
  const server = configured ?? toolServer(tool);
  if (bundleId === undefined && mayDenyByFullName(tools, shortNames(tool), ['.', '/', '__'])) return false;
  if (server === undefined && mayDenyByFullName(tools, shortNames(tool), ['.', '/'])) return false;
  const names = scopeNames(tool, server, bundleId);
  const ownNames = names.filter((name) => !known.owners.isOfAnother(server ?? '', name));
  if (!isToolPermitted(tools, names, ownNames)) return false;
  if (servers === undefined) return true;
  return configured !== undefined && isPermitted(servers, configured, bundleId ?? '');
}

/** The answer with the tools that are in the scope. */
export async function withToolsInScope(
  answer: Answer,
  scope: AgentScope,
  catalogue: Catalogue,
  target: Member,
): Promise<Answer> {
  await turnFor(answer.args, target);
  const list = isReadable(answer.args) ? unwrapAnswer(decoded(answer.args)) : undefined;
  const tools = listedIn(list);
  if (!tools || !isRecord(list)) throw unchecked(target);
  // Not by their fields: a list that was converted for an Agent has bundle ids that the Computer does not know.
  const allowed: Listed[] = [];
  const check = scopeCheck(scope, catalogue);
  await inTurns(tools, target, (tool) => {
    if (check(tool.name)) allowed.push(tool);
  });
  return { ...answer, args: [{ ...list, tools: allowed }] };
}

/**
 * Asks a Computer for its tools, and for the names of its MCP servers, which only its configuration has.
 *
 * @throws SMCPError 403 if it does not answer with a list that can be read
 */
export async function loadCatalogue(
  { agent, req_id, computer }: ComputerRequest,
  target: Member,
  send: BlobSource['send'],
): Promise<Catalogue> {
  const ask = (what: string) => ({ agent, req_id: `${req_id}:${what}`, computer });
  const names = send('client:get_config', ask('config')).then(({ args }) => serverNames(args, target));
  const [listed, servers] = await Promise.all([
    send('client:get_tools', ask('tools')).catch((cause) => Promise.reject(unchecked(target, cause))),
    // Without names, keys that are limited to MCP servers can use none of them.
    names.catch(() => new Map<string, string>()),
  ]);
  const tools = readList(listed.args);
  if (!tools) throw unchecked(target);
  const owners = new QualifiedNames([...servers].map(([bundleId, name]) => ({ name, bundleId })));
  return { tools: indexed(tools), servers, owners };
}

function unchecked({ name }: Member, cause?: unknown): SMCPError {
  const message = `the limits of this key cannot be checked: Computer "${name}" has sent no readable list of its tools`;
  // It does not say that the call has not run: it may be a repetition.
  return new SMCPError('Forbidden', `${message}; try again, or use a key without limits`, {
    details: { computer: name },
    cause,
  });
}
