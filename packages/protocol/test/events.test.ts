import {
  AGENT_EVENTS,
  COMPUTER_EVENTS,
  canonicalName,
  type EventName,
  eventCategory,
  generationOfName,
  MEMBER_EVENTS,
  NOTIFICATION_EVENTS,
  type NotificationEvent,
  parseNotification,
  parseRequest,
  RELAYED_EVENTS,
  REQUEST_EVENTS,
  type RequestEvent,
  requestEvent,
  SMCP_NAMESPACE,
  WIRE_LIMITS,
  wireName,
  wireNames,
} from '@a2c/protocol';
import { type RequirementId, verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';

const AGENT_TO_COMPUTER = 'Agent → Server → Computer';
const MEMBER_TO_SERVER = 'Agent or Computer → Server';
const AGENT_TO_SERVER = 'Agent → Server';
const COMPUTER_TO_SERVER = 'Computer → Server';
const SERVER_TO_ROOM = 'Server → room';

function directionOf(event: EventName): string {
  const groups: readonly (readonly [readonly EventName[], string])[] = [
    [RELAYED_EVENTS, AGENT_TO_COMPUTER],
    [MEMBER_EVENTS, MEMBER_TO_SERVER],
    [AGENT_EVENTS, AGENT_TO_SERVER],
    [COMPUTER_EVENTS, COMPUTER_TO_SERVER],
    [NOTIFICATION_EVENTS, SERVER_TO_ROOM],
  ];
  return groups
    .filter(([events]) => events.includes(event))
    .map(([, direction]) => direction)
    .join(' and ');
}

const call = { agent: 'a', req_id: 'r' };
const request = { ...call, computer: 'pc' };
const progress = { ...request, progress: 1, total: 3, message: 'x' };
const toolCall = { ...request, tool_name: 't', params: {}, timeout: 5 };
const upload = { ...request, chunk_offset: 0, eof: true, blob: 'AA==', total_size: 1, sha256: 'ab', name_hint: 'x' };
const member = { office_id: 'o', computer: 'pc' };

/** The tables of the document, row by row: name, direction, an example payload, and the verified requirements. */
const ROWS: readonly (readonly [string, string, object, readonly RequirementId[]])[] = [
  ['client:tool_call', AGENT_TO_COMPUTER, toolCall, ['SMCP-TOOL-01', 'SMCP-LIST-01']],
  ['client:get_mcp_config', AGENT_TO_COMPUTER, request, ['SMCP-TOOL-02', 'SMCP-LIST-03']],
  ['client:get_tools', AGENT_TO_COMPUTER, request, ['SMCP-TOOL-03', 'SMCP-LIST-02']],
  ['server:tool_call_cancel', AGENT_TO_SERVER, call, ['SMCP-TOOL-04', 'SMCP-LIST-08']],
  ['notify:tool_call_cancel', SERVER_TO_ROOM, call, ['SMCP-TOOL-05', 'SMCP-LIST-09']],
  ['server:tool_call_progress', COMPUTER_TO_SERVER, progress, ['WIRE-EVENT-01']],
  ['notify:tool_call_progress', SERVER_TO_ROOM, progress, ['WIRE-EVENT-01']],
  ['client:get_desktop', AGENT_TO_COMPUTER, { ...request, desktop_size: 3 }, ['SMCP-DESK-01', 'SMCP-LIST-04']],
  ['server:desktop_refresh', COMPUTER_TO_SERVER, { computer: 'pc' }, ['SMCP-DESK-02', 'SMCP-LIST-10']],
  ['notify:desktop_refresh', SERVER_TO_ROOM, { computer: 'pc' }, ['SMCP-DESK-03', 'SMCP-LIST-11']],
  [
    'server:join_office',
    MEMBER_TO_SERVER,
    { role: 'agent', name: 'a', office_id: 'o' },
    ['SMCP-STAT-01', 'SMCP-LIST-05'],
  ],
  ['server:leave_office', MEMBER_TO_SERVER, { office_id: 'o' }, ['SMCP-STAT-02', 'SMCP-LIST-06']],
  ['server:update_mcp_config', COMPUTER_TO_SERVER, { computer: 'pc' }, ['SMCP-STAT-03', 'SMCP-LIST-07']],
  ['notify:enter_office', SERVER_TO_ROOM, member, ['SMCP-STAT-04', 'SMCP-LIST-12']],
  ['notify:leave_office', SERVER_TO_ROOM, member, ['SMCP-STAT-05', 'SMCP-LIST-13']],
  ['notify:update_mcp_config', SERVER_TO_ROOM, { computer: 'pc' }, ['SMCP-STAT-06']],
  ['server:update_tool_list', COMPUTER_TO_SERVER, { computer: 'pc' }, ['WIRE-EVENT-01']],
  ['notify:update_tool_list', SERVER_TO_ROOM, { computer: 'pc' }, ['WIRE-EVENT-01']],
  ['client:get_blob', AGENT_TO_COMPUTER, { ...request, blob_handle: 'h', chunk_offset: 3 }, ['WIRE-BLOB-01']],
  ['server:list_room', MEMBER_TO_SERVER, { ...call, office_id: 'o' }, ['WIRE-EVENT-01']],
  ['client:get_resources', AGENT_TO_COMPUTER, { ...request, mcp_server: 's' }, ['GEN-EVENT-01']],
  ['client:get_skills', AGENT_TO_COMPUTER, request, ['GEN-EVENT-01']],
  ['client:get_skill', AGENT_TO_COMPUTER, { ...request, name: 'a:b', rel_path: 'x.md' }, ['GEN-EVENT-01']],
  ['client:put_blob', AGENT_TO_COMPUTER, upload, ['GEN-EVENT-01']],
  ['server:update_skills', COMPUTER_TO_SERVER, { computer: 'pc' }, ['GEN-EVENT-01']],
  ['notify:update_skills', SERVER_TO_ROOM, { computer: 'pc' }, ['GEN-EVENT-01']],
];

/** Fields that are optional, or whose value the Computer checks; all others are required and must be well formed. */
const UNCHECKED = new Set([
  ...['params', 'timeout', 'progress', 'total', 'message', 'desktop_size', 'chunk_offset'],
  ...['rel_path', 'eof', 'blob', 'total_size', 'sha256', 'name_hint'],
]);

function isRequest(event: EventName): event is RequestEvent {
  return requestEvent(event) !== undefined;
}

describe('the event tables', () => {
  for (const [name, direction, payload, ids] of ROWS) {
    verifies(ids, `${name} goes ${direction} with its payload`, () => {
      const event = canonicalName(name) as EventName;
      expect(wireName(event, 'spec')).toBe(name);
      expect(directionOf(event)).toBe(direction);
      const parse = (value: object) =>
        isRequest(event) ? parseRequest(event, value) : parseNotification(event as NotificationEvent, value);
      expect(parse(payload)).toEqual(payload);
      for (const field of Object.keys(payload).filter(
        (key) => !UNCHECKED.has(key) && !(key === 'name' && event === 'client:get_skill'),
      )) {
        for (const wrong of [undefined, '', 7, 'a\n', 'x'.repeat(WIRE_LIMITS.handleLength + 1)]) {
          expect(() => parse({ ...payload, [field]: wrong }), `${field}: ${wrong}`).toThrow(
            expect.objectContaining({ code: 400, message: expect.stringContaining(`${field}:`) }),
          );
        }
      }
    });
  }

  verifies(
    ['SMCP-EXT-02', 'SMCP-CAT-04', 'SMCP-EVENT-01'],
    'additions reuse no name, and every name belongs to one event',
    () => {
      const all = [...REQUEST_EVENTS, ...NOTIFICATION_EVENTS];
      const names = all.flatMap((event) => [...wireNames(event)]);
      expect(new Set(names).size).toBe(names.length);
      expect(all.map((event) => wireName(event, 'spec')).toSorted()).toEqual(ROWS.map(([name]) => name).toSorted());
    },
  );
});

describe('namespace and categories', () => {
  verifies('SMCP-NS-02', 'the namespace is /smcp', () => {
    expect(SMCP_NAMESPACE).toBe('/smcp');
  });

  verifies(['SMCP-CAT-01', 'SMCP-CAT-02', 'SMCP-CAT-03', 'SMCP-TERM-04'], 'the prefix gives the direction', () => {
    for (const event of RELAYED_EVENTS) expect(eventCategory(event)).toBe('client');
    for (const event of [...MEMBER_EVENTS, ...AGENT_EVENTS, ...COMPUTER_EVENTS]) {
      expect(eventCategory(event)).toBe('server');
    }
    for (const event of NOTIFICATION_EVENTS) expect(eventCategory(event)).toBe('notify');
  });

  verifies(['SMCP-CAT-04', 'SMCP-EXT-01'], 'an undefined event has a category but no canonical name', () => {
    expect([eventCategory('client:x_custom_action'), canonicalName('client:x_custom_action')]).toEqual([
      'client',
      undefined,
    ]);
    expect(eventCategory('message')).toBeUndefined();
    expect(eventCategory('xclient:tool_call')).toBeUndefined();
    expect([
      requestEvent('client:get_mcp_config'),
      requestEvent('notify:enter_office'),
      requestEvent('client:x'),
    ]).toEqual(['client:get_config', undefined, undefined]);
    for (const inherited of ['constructor', '__proto__', 'toString']) expect(canonicalName(inherited)).toBeUndefined();
  });
});

describe('two dialects', () => {
  const PAIRS = [
    ['client:get_config', 'client:get_mcp_config'],
    ['server:update_config', 'server:update_mcp_config'],
    ['server:update_desktop', 'server:desktop_refresh'],
    ['notify:update_config', 'notify:update_mcp_config'],
    ['notify:update_desktop', 'notify:desktop_refresh'],
  ] as const;

  verifies(['WIRE-EVENT-02', 'WIRE-DIALECT-01'], 'both names map to the event, and each identifies its dialect', () => {
    for (const [sdk, spec] of PAIRS) {
      expect([canonicalName(sdk), canonicalName(spec)]).toEqual([sdk, sdk]);
      expect([wireName(sdk, '0.1'), wireName(sdk, 'spec')]).toEqual([sdk, spec]);
      expect(wireNames(sdk)).toEqual([sdk, spec]);
      expect([generationOfName(sdk), generationOfName(spec)]).toEqual(['0.1', 'spec']);
    }
  });

  verifies('WIRE-EVENT-02', 'all other events are the same in both', () => {
    const twoNames = new Set<string>(PAIRS.map(([sdk]) => sdk));
    for (const event of [...REQUEST_EVENTS, ...NOTIFICATION_EVENTS].filter((name) => !twoNames.has(name))) {
      expect(wireName(event, 'spec')).toBe(wireName(event, '0.4'));
      expect(generationOfName(event)).toBeUndefined();
    }
    expect(generationOfName('client:unknown')).toBeUndefined();
  });
});
