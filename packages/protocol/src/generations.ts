import type { RelayedEvent } from './events.js';

/** How the peers of one generation of the protocol speak. */
export interface GenerationRules {
  /** The version that our clients announce. */
  readonly version: string;
  /** Whether events with two names have those of the document or those of the SDKs. */
  readonly names: 'document' | 'sdk';
  /** `nested`: `{error: …}` beside the flat fields, with the generic code. `flat`: the specific code at the top. */
  readonly errors: 'nested' | 'flat';
  /** The acknowledgement of join and leave: `[ok, reason]`, or nothing on success and a flat error otherwise. */
  readonly officeAck: 'pair' | 'flat';
  /** How many Computers an office has if its first member is of this generation, and its operator decides nothing. */
  readonly computers: 'one' | 'many';
  /** What shows that a newer connection is the same member, which takes over its seat: its identity, or its process. */
  readonly takeover: 'subject' | 'instance';
  /** `display`: a tool is listed by its alias or name. `exposed`: preceded by the bundle id, which is listed too. */
  readonly toolNames: 'display' | 'exposed';
  /** The keys of `servers` in a configuration. MCP servers are addressed by the same in requests. */
  readonly configKeys: 'name' | 'bundle_id';
  /** The entries of a configuration: `command` or `url` at the top, or in `server_parameters`. */
  readonly configEntries: 'document' | 'sdk';
  /** The options of a `pickString` input: texts, or `{label, value}`. */
  readonly pickOptions: 'strings' | 'objects';
  /** Whether large images, sounds and embedded resources of results are blobs, without being asked for. */
  readonly blobs: boolean;
  /** The requests that a Computer of this generation answers. */
  readonly requests: ReadonlySet<RelayedEvent>;
}

const REQUESTS_0_1: readonly RelayedEvent[] = [
  'client:tool_call',
  'client:get_tools',
  'client:get_config',
  'client:get_desktop',
];
const REQUESTS_0_2: readonly RelayedEvent[] = [
  ...REQUESTS_0_1,
  'client:get_resources',
  'client:get_skills',
  'client:get_skill',
  'client:get_blob',
];
const REQUESTS_0_4: readonly RelayedEvent[] = [...REQUESTS_0_2, 'client:put_blob'];

const RULES_0_1 = {
  version: '0.1.2',
  names: 'sdk',
  errors: 'nested',
  officeAck: 'pair',
  computers: 'many',
  takeover: 'subject',
  toolNames: 'display',
  configKeys: 'name',
  configEntries: 'sdk',
  pickOptions: 'strings',
  blobs: false,
  requests: new Set(REQUESTS_0_1),
} as const satisfies GenerationRules;

const RULES_0_2 = {
  ...RULES_0_1,
  version: '0.2.2',
  errors: 'flat',
  blobs: true,
  requests: new Set(REQUESTS_0_2),
} as const;

const RULES_0_3 = {
  ...RULES_0_2,
  version: '0.3.2',
  toolNames: 'exposed',
  configKeys: 'bundle_id',
  pickOptions: 'objects',
} as const;

const RULES_0_4 = { ...RULES_0_3, version: '0.4.0', requests: new Set(REQUESTS_0_4) } as const;

/**
 * The generations of the protocol. `spec` is the published document (0.1.2-rc1), `0.1` the first SDKs, whose event
 * names differ from it. `0.5` is announced but not published.
 */
export const GENERATIONS = {
  spec: {
    ...RULES_0_1,
    names: 'document',
    configEntries: 'document',
    requests: new Set<RelayedEvent>([...REQUESTS_0_1, 'client:get_blob']),
  },
  '0.1': RULES_0_1,
  '0.2': RULES_0_2,
  '0.3': RULES_0_3,
  '0.4': RULES_0_4,
  '0.5': { ...RULES_0_4, version: '0.5.0', officeAck: 'flat', computers: 'one', takeover: 'instance' },
} as const satisfies Record<string, GenerationRules>;

/** The generation of a peer: a key of `GENERATIONS`. */
export type Generation = keyof typeof GENERATIONS;

/** The newest published generation. */
export const NEWEST_GENERATION = '0.4' satisfies Generation;

/** The rules of a peer. One that declared nothing speaks like the first SDKs. */
export function rulesOf(generation: Generation | undefined): GenerationRules {
  return GENERATIONS[generation ?? '0.1'];
}

/** Whether a value is the name of a generation. */
export function isGeneration(value: unknown): value is Generation {
  return typeof value === 'string' && Object.hasOwn(GENERATIONS, value);
}
