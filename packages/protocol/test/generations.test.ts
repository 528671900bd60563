import { createHash } from 'node:crypto';
import {
  computerErrorAck,
  configFor,
  errorAck,
  GENERATIONS,
  type Generation,
  generationOfVersion,
  isGeneration,
  NEWEST_GENERATION,
  officeAck,
  parseAnswer,
  parseRequest,
  RELAYED_EVENTS,
  readErrorAnswer,
  rulesOf,
  SMCPError,
} from '@a2c/protocol';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';

const ALL = Object.keys(GENERATIONS) as Generation[];
const FLAT = ALL.filter((generation) => rulesOf(generation).errors === 'flat');

describe('the table of generations', () => {
  verifies('GEN-TABLE-01', 'a version selects a generation, whatever its patch', () => {
    for (const generation of ['0.1', '0.2', '0.3', '0.4', '0.5'] as const) {
      expect(generationOfVersion(`${generation}.0`)).toBe(generation);
      expect(generationOfVersion(`${generation}.99`)).toBe(generation);
      expect(generationOfVersion(GENERATIONS[generation].version)).toBe(generation);
    }
    for (const other of ['0.0.1', '0.6.0', '1.0.0', 'latest', '']) expect(generationOfVersion(other)).toBeUndefined();
    expect([isGeneration('0.4'), isGeneration('spec'), isGeneration('toString'), isGeneration(4)]).toEqual([
      ...[true, true, false, false],
    ]);
  });

  verifies('GEN-TABLE-01', 'later generations only add requests, and the newest knows all of them', () => {
    const sizes = ALL.map((generation) => rulesOf(generation).requests.size);
    expect(sizes).toEqual([5, 4, 8, 8, 9, 9]);
    for (const event of RELAYED_EVENTS) expect(rulesOf(NEWEST_GENERATION).requests.has(event), event).toBe(true);
    expect(rulesOf('0.3').requests.has('client:put_blob')).toBe(false);
    expect(rulesOf(undefined)).toBe(rulesOf('0.1'));
  });

  verifies('GEN-TABLE-01', 'each rule changes in the generation that introduced it', () => {
    const since = (test: (generation: Generation) => boolean) => ALL.find(test);
    expect(since((g) => rulesOf(g).errors === 'flat')).toBe('0.2');
    expect(since((g) => rulesOf(g).blobs)).toBe('0.2');
    expect(since((g) => rulesOf(g).toolNames === 'exposed')).toBe('0.3');
    expect(since((g) => rulesOf(g).configKeys === 'bundle_id')).toBe('0.3');
    expect(since((g) => rulesOf(g).pickOptions === 'objects')).toBe('0.3');
    expect(since((g) => rulesOf(g).officeAck === 'flat')).toBe('0.5');
    expect(since((g) => rulesOf(g).computers === 'one')).toBe('0.5');
    expect(since((g) => rulesOf(g).takeover === 'instance')).toBe('0.5');
  });
});

describe('errors', () => {
  const noServer = new SMCPError('MCPServerNotFound', 'no server "x"', { details: { mcp_server: 'x' } });

  verifies('GEN-ERR-01', 'from 0.2 on the specific code is at the top, beside the MCP server', () => {
    for (const generation of FLAT) {
      const [answer] = errorAck('client:get_resources', noServer, generation);
      expect(answer).toEqual({
        code: 4014,
        message: '资源不存在 / no server "x"',
        details: { mcp_server: 'x' },
        mcp_server: 'x',
        ...(generation === '0.2' && { mcp_server_name: 'x' }),
      });
      expect(readErrorAnswer(answer)).toMatchObject({ kind: 'MCPServerNotFound', details: { mcp_server: 'x' } });
    }
    const unknown = new SMCPError('NotFound', 'no', { details: { computer: 'pc' } });
    expect(errorAck('client:get_tools', unknown, '0.4')[0]).toMatchObject({ details: { computer_name: 'pc' } });
    const lacking = new SMCPError('CapabilityNotSupported', 'no', { details: { mcp_server: 'x', capability: 'y' } });
    expect(errorAck('client:get_resources', lacking, '0.4')[0]).toMatchObject({ code: 4015, capability: 'y' });
  });

  verifies('GEN-ERR-01', 'the error of a tool call is a failed result too, with the code at the top', () => {
    const [answer] = errorAck('client:tool_call', new SMCPError('NotFound', 'gone'), '0.4');
    expect(answer).toMatchObject({ code: 404, isError: true, content: [{ type: 'text' }], meta: { error_code: 404 } });
    expect(answer).not.toHaveProperty('error');
    expect(() => parseAnswer('client:tool_call', [answer])).toThrow(
      expect.objectContaining({ kind: 'NotFound', message: 'gone' }),
    );
  });

  verifies('GEN-ERR-01', 'the MCP server in an error of 0.2 is read from its former field', () => {
    const error = readErrorAnswer({ code: 4014, message: 'm', mcp_server_name: 'x' });
    expect(error).toMatchObject({ kind: 'MCPServerNotFound', details: { mcp_server: 'x' } });
    expect(errorAck('client:get_resources', error as SMCPError, '0.4')[0]).toMatchObject({ mcp_server: 'x' });
  });

  verifies('GEN-ERR-02', 'no generation gets its req_id back', () => {
    for (const generation of ALL) {
      for (const event of RELAYED_EVENTS) {
        for (const encode of [errorAck, computerErrorAck])
          expect(encode(event, noServer, generation)[0]).not.toHaveProperty('req_id');
      }
    }
  });

  verifies(
    'GEN-ERR-03',
    'a Computer sends codes that published Servers relay, and a failed call without a code',
    () => {
      for (const generation of FLAT) {
        const [known] = computerErrorAck('client:get_resources', noServer, generation);
        expect(known).toMatchObject({ code: 4014 });
        const [other] = computerErrorAck('client:get_tools', new SMCPError('CrossRoomAccess', 'no'), generation);
        expect(other).toMatchObject({ code: 404, details: { a2c_code: 4104 } });
        expect(readErrorAnswer(other)).toMatchObject({ kind: 'CrossRoomAccess', code: 403 });
        const [failed] = computerErrorAck('client:tool_call', new SMCPError('ToolDisabled', 'off'), generation);
        expect(failed).not.toHaveProperty('code');
        expect(failed).toMatchObject({ isError: true, meta: { error_code: 4002 } });
        expect(readErrorAnswer(failed)).toMatchObject({ kind: 'ToolDisabled', message: 'off' });
      }
      expect(computerErrorAck('client:get_tools', noServer, '0.1')).toEqual(
        errorAck('client:get_tools', noServer, '0.1'),
      );
    },
  );
});

describe('the acknowledgement of a join', () => {
  const full = new SMCPError('RoomFull', 'Room already has an agent', { details: { office_id: 'o', role: 'agent' } });

  verifies('GEN-ACK-01', 'is a pair up to 0.4, with the error object for peers of the document', () => {
    for (const generation of ['0.1', '0.2', '0.3', '0.4'] as const) {
      expect(officeAck(undefined, generation)).toEqual([true, null]);
      expect(officeAck(full, generation)).toEqual([false, '403/4101 Room already has an agent']);
    }
    const refused = officeAck(full, 'spec');
    expect(refused).toEqual([false, '403/4101 Room already has an agent', expect.objectContaining({ code: 403 })]);
    expect(() => parseAnswer('server:join_office', refused)).toThrow(
      expect.objectContaining({ kind: 'RoomFull', details: { office_id: 'o', role: 'agent' } }),
    );
  });

  verifies('GEN-ACK-01', 'is empty or a flat error from 0.5 on, and only there', () => {
    expect(officeAck(undefined, '0.5')).toEqual([]);
    const [error] = officeAck(full, '0.5');
    expect(error).toEqual({
      code: 4101,
      message: expect.stringContaining('Room already has an agent'),
      details: { office_id: 'o', role: 'agent' },
    });
    expect(parseAnswer('server:join_office', [], '0.5')).toBeUndefined();
    expect(() => parseAnswer('server:join_office', [error], '0.5')).toThrow(
      expect.objectContaining({ kind: 'RoomFull' }),
    );
    expect(() => parseAnswer('server:join_office', [], '0.4')).toThrow(/the answer is empty/);
  });
});

describe('answers of the new requests', () => {
  verifies('GEN-EVENT-01', 'handles and exposed names may be longer than other names', () => {
    const base = { agent: 'a', req_id: 'r', computer: 'pc' };
    const blob_handle = 'h'.repeat(1_024);
    expect(parseRequest('client:get_blob', { ...base, blob_handle }).blob_handle).toBe(blob_handle);
    const tool_name = `${'b'.repeat(300)}__${'t'.repeat(300)}`;
    expect(parseRequest('client:tool_call', { ...base, tool_name, params: {}, timeout: 1 }).tool_name).toBe(tool_name);
    expect(() => parseRequest('client:get_tools', { ...base, computer: 'c'.repeat(300) })).toThrow(/computer/);
  });

  verifies('GEN-EVENT-01', 'are read with their optional fields; a skill has a body or a handle', () => {
    const page = {
      resources: [{ uri: 'a://b', name: 'b', mime_type: 'x/y' }, { uri: 7 }],
      next_cursor: null,
      req_id: 'r',
    };
    expect(parseAnswer('client:get_resources', [page])).toEqual({ resources: [page.resources[0]], req_id: 'r' });
    const skill = { name: 's', source: 'user', path: '/s', description: 'd', tags: ['t'] };
    expect(parseAnswer('client:get_skills', [{ skills: [skill], req_id: 'r' }]).skills).toEqual([skill]);
    const file = {
      name: 's',
      rel_path: 'SKILL.md',
      mime_type: 'text/markdown',
      total_size: 1,
      sha256: 'ab',
      req_id: 'r',
    };
    expect(parseAnswer('client:get_skill', [{ ...file, body: '', blob_handle: null }]).body).toBe('');
    expect(parseAnswer('client:get_skill', [{ ...file, blob_handle: 'h'.repeat(303) }]).blob_handle).toHaveLength(303);
    for (const wrong of [file, { ...file, body: 'x', blob_handle: 'h' }])
      expect(() => parseAnswer('client:get_skill', [wrong])).toThrow(/either "body" or "blob_handle"/);
    const done = { upload_id: 'u', chunk_offset: 0, req_id: 'r', landing_path: '/x', total_size: 1, sha256: 'ab' };
    expect(parseAnswer('client:put_blob', [done])).toEqual(done);
  });
});

describe('a configuration', () => {
  const STDIO = {
    name: 'my srv',
    type: 'stdio',
    tool_meta: { t: { tags: ['x'] } },
    server_parameters: { command: 'c' },
  };
  const HTTP = {
    name: 'web',
    type: 'streamable',
    disabled: true,
    server_parameters: { url: 'https://x', timeout: 'PT1S' },
  };
  const inputs = [{ id: 'p', type: 'pickString', options: [{ label: 'One', value: '1' }] }, { id: 'q' }];
  const OWN = { servers: { my_srv: { ...STDIO, bundle_id: 'my_srv' }, web: HTTP }, inputs };

  verifies('GEN-CFG-01', 'is keyed by bundle id from 0.3 on, with every field that published Servers require', () => {
    for (const generation of ['0.3', '0.4'] as const) {
      const config = configFor(generation, OWN);
      expect(config.servers).toEqual({
        my_srv: {
          name: 'my srv',
          bundle_id: 'my_srv',
          type: 'stdio',
          disabled: false,
          forbidden_tools: [],
          tool_meta: { t: { tags: ['x'] } },
          server_parameters: {
            ...{ command: 'c', args: [], env: null, cwd: null, encoding: 'utf-8', encoding_error_handler: 'strict' },
          },
        },
        web: {
          name: 'web',
          bundle_id: 'web',
          type: 'streamable',
          disabled: true,
          forbidden_tools: [],
          tool_meta: {},
          server_parameters: {
            ...{ url: 'https://x', headers: null, timeout: 'PT1S', sse_read_timeout: 'PT5M', terminate_on_close: true },
          },
        },
      });
      expect(config.inputs).toEqual(inputs);
    }
  });

  verifies(
    'GEN-CFG-01',
    'is keyed by name before, with texts as options; two servers of one name keep their ids',
    () => {
      for (const generation of ['0.1', '0.2', undefined] as const) {
        const config = configFor(generation, OWN);
        expect(Object.keys(config.servers)).toEqual(['my srv', 'web']);
        expect(config.inputs).toEqual([{ ...inputs[0], options: ['1'] }, { id: 'q' }]);
        expect(config.servers['my srv']).not.toHaveProperty('bundle_id');
      }
      const twins = { servers: { a: { ...HTTP, bundle_id: 'a' }, b: { ...HTTP, bundle_id: 'b' } } };
      expect(Object.keys(configFor('0.1', twins).servers)).toEqual(['web', 'b']);
      expect(configFor('0.4', configFor('0.1', OWN))).toEqual({
        ...configFor('0.4', OWN),
        inputs: [{ ...inputs[0], options: [{ label: '1', value: '1' }] }, { id: 'q' }],
      });
    },
  );

  verifies('GEN-CFG-01', 'has numbers as times of an SSE server, as published Servers require', () => {
    const sse = { name: 's', type: 'sse', server_parameters: { url: 'https://x/sse' } };
    expect(configFor('0.4', { servers: { s: sse } }).servers.s).toMatchObject({
      server_parameters: { url: 'https://x/sse', headers: null, timeout: 5, sse_read_timeout: 300 },
    });
  });

  verifies('GEN-CFG-01', 'every server has a valid bundle id of its own, also one without Latin letters', () => {
    const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
    const stdio = { type: 'stdio', server_parameters: { command: 'uvx', args: ['mcp-server-git'], env: null } };
    const names = ['!!!@@@', 'a b', 'a.b'];
    const servers = Object.fromEntries(names.map((name) => [name, { name, ...stdio }]));
    const config = configFor('0.4', { servers }, sha256);
    expect(
      Object.entries(config.servers).map(([key, entry]) => [key, (entry as { bundle_id: string }).bundle_id]),
    ).toEqual([
      // The second is the published vector of this connection.
      ['bundle_62515edd7632e701', 'bundle_62515edd7632e701'],
      ['a_b', 'a_b'],
      ['a_b-2', 'a_b-2'],
    ]);
  });

  verifies('GEN-CFG-01', 'has the types of inputs of the protocol, also from the Rust SDK', () => {
    const config = { servers: {}, inputs: ['PickString', 'Command', 'other'].map((type) => ({ id: type, type })) };
    expect(configFor('0.4', config as never).inputs).toMatchObject([
      { type: 'pickString' },
      { type: 'command' },
      { type: 'other' },
    ]);
  });

  verifies(['GEN-CFG-01', 'GEN-DOC-04'], 'has the shape of the document for its peers, and is read from it', () => {
    const config = configFor('spec', OWN);
    expect(config.servers).toMatchObject({
      'my srv': { type: 'stdio', command: 'c', disabled: false, tool_meta: { t: { tags: ['x'] } } },
      web: { type: 'http', url: 'https://x', disabled: true, tool_meta: {} },
    });
    const document = { servers: { web: { type: 'http', url: 'https://x', disabled: true, tool_meta: {} }, odd: 7 } };
    expect(configFor('0.4', document).servers).toMatchObject({
      web: { type: 'streamable', bundle_id: 'web', server_parameters: { url: 'https://x', headers: null } },
      odd: 7,
    });
  });
});
