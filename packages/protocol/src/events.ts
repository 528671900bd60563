/** Every SMCP event travels through this Socket.IO namespace. */
export const SMCP_NAMESPACE = '/smcp';

/**
 * Five events have two names: one in the published document (`spec`), one in the SDKs that were shipped (`sdk`).
 * Both are first-class; a peer speaks one of them.
 */
export type Dialect = 'spec' | 'sdk';

/** Canonical name (the SDKs') → the document's name. Everything not listed here has one name. */
const SPEC_NAMES = {
  'client:get_config': 'client:get_mcp_config',
  'server:update_config': 'server:update_mcp_config',
  'server:update_desktop': 'server:desktop_refresh',
  'notify:update_config': 'notify:update_mcp_config',
  'notify:update_desktop': 'notify:desktop_refresh',
} as const;

type SpecNames = typeof SPEC_NAMES;

/** Requests of an Agent that the Server relays to one Computer. */
export const RELAYED_EVENTS = [
  'client:tool_call',
  'client:get_tools',
  'client:get_config',
  'client:get_desktop',
  'client:get_blob',
] as const;

/** Requests the Server answers itself; any member of a room may send these. */
export const MEMBER_EVENTS = ['server:join_office', 'server:leave_office', 'server:list_room'] as const;

/** What only an Agent may ask of the Server. */
export const AGENT_EVENTS = ['server:tool_call_cancel'] as const;

/** What only a Computer may tell the Server. */
export const COMPUTER_EVENTS = ['server:update_config', 'server:update_tool_list', 'server:update_desktop'] as const;

/** What the Server tells the members of a room. */
export const NOTIFICATION_EVENTS = [
  'notify:enter_office',
  'notify:leave_office',
  'notify:update_config',
  'notify:update_tool_list',
  'notify:update_desktop',
  'notify:tool_call_cancel',
] as const;

export type RelayedEvent = (typeof RELAYED_EVENTS)[number];
export type MemberEvent = (typeof MEMBER_EVENTS)[number];
export type AgentEvent = (typeof AGENT_EVENTS)[number];
export type ComputerEvent = (typeof COMPUTER_EVENTS)[number];
export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];
export type RequestEvent = RelayedEvent | MemberEvent | AgentEvent | ComputerEvent;
export type EventName = RequestEvent | NotificationEvent;

/** All names under which event `E` may stand on the wire. */
export type WireName<E extends EventName> = E | (E extends keyof SpecNames ? SpecNames[E] : never);

export const REQUEST_EVENTS: readonly RequestEvent[] = [
  ...RELAYED_EVENTS,
  ...MEMBER_EVENTS,
  ...AGENT_EVENTS,
  ...COMPUTER_EVENTS,
];

const ALL_EVENTS: readonly EventName[] = [...REQUEST_EVENTS, ...NOTIFICATION_EVENTS];

const requestEvents: ReadonlySet<EventName> = new Set(REQUEST_EVENTS);

const specNames = new Map<EventName, string>(Object.entries(SPEC_NAMES) as [EventName, string][]);

const canonicalNames = new Map<string, EventName>([
  ...ALL_EVENTS.map((event) => [event, event] as const),
  ...[...specNames].map(([event, spec]) => [spec, event] as const),
]);

/** The name a peer of this dialect knows the event by. */
export function wireName<E extends EventName>(event: E, dialect: Dialect): WireName<E> {
  return ((dialect === 'spec' && specNames.get(event)) || event) as WireName<E>;
}

/** Every name of the event, for whoever must listen to all of them. */
export function wireNames<E extends EventName>(event: E): readonly WireName<E>[] {
  const spec = specNames.get(event);
  return (spec === undefined ? [event] : [event, spec]) as WireName<E>[];
}

/** The event behind a name seen on the wire; `undefined` for an event this protocol does not define. */
export function canonicalName(name: string): EventName | undefined {
  return canonicalNames.get(name);
}

/** The request behind a name; `undefined` for notifications and for what this protocol does not define. */
export function requestEvent(name: string): RequestEvent | undefined {
  const event = canonicalNames.get(name);
  return event !== undefined && requestEvents.has(event) ? (event as RequestEvent) : undefined;
}

/** What a name reveals about its sender; `undefined` when both dialects use it. */
export function dialectOfName(name: string): Dialect | undefined {
  const event = canonicalNames.get(name);
  if (event === undefined || !specNames.has(event)) return undefined;
  return name === event ? 'sdk' : 'spec';
}

export type EventCategory = 'client' | 'server' | 'notify';

/** The three reserved prefixes; also of events we do not know, because those must be refused or ignored by category. */
export function eventCategory(name: string): EventCategory | undefined {
  const prefix = /^(client|server|notify):/.exec(name)?.[1];
  return prefix as EventCategory | undefined;
}
