import { bundleIdOfName, deriveBundleId, type ServerConnection, type Sha256 } from './bundle-id.js';
import { type Generation, type GenerationRules, rulesOf } from './generations.js';
import { isRecord } from './json.js';
import type { GetMCPConfigRet, PickOption } from './messages/answers.js';

type Entry = Record<string, unknown>;

/**
 * Converts a configuration of any generation to the form of another: the keys of `servers`, the shape of their entries
 * and the options of inputs. Fields that published Servers require are filled in. Entries of unknown types stay as they
 * are.
 *
 * @param sha256 For bundle ids of servers whose names have no permitted character; needed where entries have no id.
 */
export function configFor(
  generation: Generation | undefined,
  config: GetMCPConfigRet,
  sha256?: Sha256,
): GetMCPConfigRet {
  const rules = rulesOf(generation);
  const servers: Record<string, unknown> = {};
  const numbers = new Map<string, number>();
  for (const [key, value] of Object.entries(config.servers)) {
    const entry: Entry = isRecord(value) ? value : {};
    const name = typeof entry.name === 'string' ? entry.name : key;
    const derived = bundleIdOf(entry, name, key, sha256);
    const isId = rules.configKeys === 'bundle_id';
    const wanted = isId || Object.hasOwn(servers, name) ? unused(derived, servers, numbers) : name;
    servers[wanted] = isRecord(value) ? entryFor(rules, entry, { name, id: isId ? wanted : derived }) : value;
  }
  const { inputs } = config;
  return { ...config, servers, ...(inputs && { inputs: inputs.map((input) => inputFor(rules, input)) }) };
}

/** The id that the entry has, the key of an entry with another name, or the id derived from the name. */
function bundleIdOf(entry: Entry, name: string, key: string, sha256: Sha256 | undefined): string {
  if (typeof entry.bundle_id === 'string' && entry.bundle_id !== '') return entry.bundle_id;
  if (name !== key) return key;
  const connection = sha256 && connectionOf(entry);
  return connection ? deriveBundleId(name, connection, sha256) : bundleIdOfName(name) || key;
}

function connectionOf(entry: Entry): ServerConnection | undefined {
  const { type, server_parameters: given } = entry;
  const { command, args, env, url, headers } = isRecord(given) ? given : entry;
  if (typeof command === 'string') return { type: 'stdio', command, args: textsIn(args), env: textFields(env) };
  if (typeof url !== 'string') return undefined;
  return { type: type === 'sse' ? 'sse' : 'streamable', url, headers: textFields(headers) };
}

function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.map(String) : [];
}

function textFields(fields: unknown): Record<string, string> {
  return isRecord(fields) ? Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, String(value)])) : {};
}

/**
 * Two servers may have names that differ only in characters that ids do not have.
 *
 * @param numbers The first number to try for each id: trying all again would take quadratic time.
 */
function unused(id: string, servers: Readonly<Record<string, unknown>>, numbers: Map<string, number>): string {
  for (let number = numbers.get(id) ?? 1; ; number++) {
    const next = number === 1 ? id : `${id}-${number}`;
    if (Object.hasOwn(servers, next)) continue;
    numbers.set(id, number + 1);
    return next;
  }
}

function entryFor(rules: GenerationRules, entry: Entry, { name, id }: { name: string; id: string }): Entry {
  const { bundle_id: _id, command: _command, url: _url, ...fields } = entry;
  const parameters = isRecord(entry.server_parameters) ? entry.server_parameters : topLevelParameters(entry);
  const common = { name, disabled: false, forbidden_tools: [], tool_meta: {}, ...fields };
  if (rules.configEntries === 'document') {
    const { command, url } = parameters;
    const type = entry.type === 'streamable' ? 'http' : entry.type;
    return { ...common, type, ...(command !== undefined && { command }), ...(url !== undefined && { url }) };
  }
  const type = entry.type === 'http' ? 'streamable' : entry.type;
  const defaults = typeof type === 'string' && Object.hasOwn(DEFAULTS, type) ? DEFAULTS[type] : {};
  const identity = rules.configKeys === 'bundle_id' ? { bundle_id: id } : {};
  return { ...common, type, ...identity, server_parameters: { ...defaults, ...parameters } };
}

/** The parameters of an entry in the form of the document. */
function topLevelParameters({ command, url }: Entry): Entry {
  return { ...(command !== undefined && { command }), ...(url !== undefined && { url }) };
}

/** Published Servers drop a configuration in which one of these is missing. */
const DEFAULTS: Readonly<Record<string, Entry>> = {
  stdio: { args: [], env: null, cwd: null, encoding: 'utf-8', encoding_error_handler: 'strict' },
  sse: { headers: null, timeout: 5, sse_read_timeout: 300 },
  streamable: { headers: null, timeout: 'PT30S', sse_read_timeout: 'PT5M', terminate_on_close: true },
};

function inputFor({ pickOptions }: GenerationRules, input: unknown): unknown {
  if (!isRecord(input)) return input;
  const type = typeof input.type === 'string' ? INPUT_TYPES.get(input.type) : undefined;
  const named = type === undefined ? input : { ...input, type };
  if (!Array.isArray(input.options)) return named;
  const options = input.options.map((option) =>
    pickOptions === 'objects' ? optionObject(option) : optionText(option),
  );
  return { ...named, options };
}

/** Computers of the Rust SDK write the types of inputs in another case. */
const INPUT_TYPES: ReadonlyMap<string, string> = new Map([
  ['PromptString', 'promptString'],
  ['PickString', 'pickString'],
  ['Command', 'command'],
]);

function optionObject(option: unknown): PickOption {
  if (isRecord(option)) return { label: String(option.label ?? option.value), value: String(option.value) };
  return { label: String(option), value: String(option) };
}

function optionText(option: unknown): string {
  return String(isRecord(option) ? option.value : option);
}
