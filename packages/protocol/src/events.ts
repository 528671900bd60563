import { type Generation, rulesOf } from './generations.js';

/** The Socket.IO namespace of all SMCP events. */
export const SMCP_NAMESPACE = '/smcp';

/**
 * Five events have two names. Canonical name (of the SDKs) → name in the document. Events that are not listed have one
 * name.
 */
export const SPEC_NAMES = {
  'client:get_config': 'client:get_mcp_config',
  'server:update_config': 'server:update_mcp_config',
  'server:update_desktop': 'server:desktop_refresh',
  'notify:update_config': 'notify:update_mcp_config',
  'notify:update_desktop': 'notify:desktop_refresh',
} as const;

/** Requests of an Agent that the Server relays to one Computer. */
export const RELAYED_EVENTS = [
  'client:tool_call',
  'client:get_tools',
  'client:get_config',
  'client:get_desktop',
  'client:get_resources',
  'client:get_skills',
  'client:get_skill',
  'client:get_blob',
  'client:put_blob',
] as const;

/** Requests that the Server answers itself. Any member may send them. */
export const MEMBER_EVENTS = ['server:join_office', 'server:leave_office', 'server:list_room'] as const;

/** Requests to the Server that only an Agent may send. */
export const AGENT_EVENTS = ['server:tool_call_cancel'] as const;

/** Requests to the Server that only a Computer may send. */
export const COMPUTER_EVENTS = [
  'server:tool_call_progress',
  'server:update_config',
  'server:update_tool_list',
  'server:update_desktop',
  'server:update_skills',
] as const;

/** Notifications that the Server sends to the members of an office. The progress of a call goes to its Agent only. */
export const NOTIFICATION_EVENTS = [
  'notify:enter_office',
  'notify:leave_office',
  'notify:update_config',
  'notify:update_tool_list',
  'notify:update_desktop',
  'notify:update_skills',
  'notify:tool_call_cancel',
  'notify:tool_call_progress',
] as const;

/** One of `RELAYED_EVENTS`. */
export type RelayedEvent = (typeof RELAYED_EVENTS)[number];
/** One of `MEMBER_EVENTS`. */
export type MemberEvent = (typeof MEMBER_EVENTS)[number];
/** One of `AGENT_EVENTS`. */
export type AgentEvent = (typeof AGENT_EVENTS)[number];
/** One of `COMPUTER_EVENTS`. */
export type ComputerEvent = (typeof COMPUTER_EVENTS)[number];
/** The announcement of a change of a Computer. */
export type UpdateEvent = Exclude<ComputerEvent, 'server:tool_call_progress'>;
/** One of `NOTIFICATION_EVENTS`. */
export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];
/** One of `REQUEST_EVENTS`. */
export type RequestEvent = RelayedEvent | MemberEvent | AgentEvent | ComputerEvent;
/** The canonical name of any event. */
export type EventName = RequestEvent | NotificationEvent;

/** The names of event `E`. */
export type WireName<E extends EventName> = E | (E extends keyof typeof SPEC_NAMES ? (typeof SPEC_NAMES)[E] : never);

/** All requests. */
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

/** The name of the event for peers of a generation. */
export function wireName<E extends EventName>(event: E, generation: Generation | undefined): WireName<E> {
  return ((rulesOf(generation).names === 'document' && specNames.get(event)) || event) as WireName<E>;
}

/** All names of the event, to subscribe to each. */
export function wireNames<E extends EventName>(event: E): readonly WireName<E>[] {
  const spec = specNames.get(event);
  return (spec === undefined ? [event] : [event, spec]) as WireName<E>[];
}

/** The canonical name of an event from the wire; `undefined` when the protocol does not define it. */
export function canonicalName(name: string): EventName | undefined {
  return canonicalNames.get(name);
}

/** Like `canonicalName`, but also `undefined` for notifications. */
export function requestEvent(name: string): RequestEvent | undefined {
  const event = canonicalNames.get(name);
  return event !== undefined && requestEvents.has(event) ? (event as RequestEvent) : undefined;
}

/**
 * The generation of a peer that declares none and uses this name: the document's or the first SDKs'. `undefined` when
 * both use it.
 */
export function generationOfName(name: string): 'spec' | '0.1' | undefined {
  const event = canonicalNames.get(name);
  if (event === undefined || !specNames.has(event)) return undefined;
  return name === event ? '0.1' : 'spec';
}

/** The reserved prefixes of event names. */
export type EventCategory = 'client' | 'server' | 'notify';

/**
 * The prefix of an event name, also of an unknown event: unknown requests are refused, unknown notifications ignored.
 */
export function eventCategory(name: string): EventCategory | undefined {
  const prefix = /^(client|server|notify):/.exec(name)?.[1];
  return prefix as EventCategory | undefined;
}
