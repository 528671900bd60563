import { createHash, randomUUID } from 'node:crypto';
import type { SdkProcess } from './peers.js';
import { PeerError } from './peers.js';
import type { AgentRole, ComputerRole, ComputerSetup, Feature, Heard, Maker, ToolResult } from './roles.js';

/** The first version that has a feature. */
const SINCE: Record<Feature, { readonly agent: string; readonly computer: string }> = {
  get_config: { agent: '0.1', computer: '0.1' },
  resources: { agent: '0.2', computer: '0.2' },
  skills: { agent: '0.2', computer: '0.2' },
  put_blob: { agent: '0.4', computer: '0.4' },
  markers: { agent: '0.1', computer: '0.3' },
  authorization: { agent: '0.1', computer: '0.3' },
  raw: { agent: '0.1', computer: '0.1' },
};

/** The first version whose server relays it; `a2c` sorts behind the numbers. */
export const SERVER_SINCE: Record<Feature, string> = {
  get_config: '0.2',
  resources: '0.2',
  skills: '0.2',
  put_blob: '0.4',
  markers: '0.1',
  authorization: '0.1',
  raw: '0.1',
};

/** The notification, and where the SDK reports the change to the program after fetching again: that report. */
const REPORTS: Record<Heard, (version: string) => string> = {
  config: () => 'on_tools_received',
  tools: (version) => (version >= '0.3' ? 'on_tools_received' : 'notify:update_tool_list'),
  desktop: () => 'notify:update_desktop',
  skills: () => 'on_skills_received',
  enter: () => 'on_computer_enter_office',
  leave: () => 'on_computer_leave_office',
};

/** The programs of a version of the SDK. */
export function sdkMaker(sdk: SdkProcess, { sync = false }: { readonly sync?: boolean } = {}): Maker {
  const { version } = sdk;
  return {
    version: sync ? `${version} sync` : version,
    agent: (url, office, name) => sdkAgent(sdk, { url, office, name, sync }),
    computer: (setup) => sdkComputer(sdk, setup),
  };
}

interface AgentSetup {
  readonly url: string;
  readonly office: string;
  readonly name: string;
  /** The client of the SDK for threads. */
  readonly sync: boolean;
}

async function sdkAgent(sdk: SdkProcess, setup: AgentSetup): Promise<AgentRole> {
  const { office, name } = setup;
  const { version } = sdk;
  const key = randomUUID();
  const ask = <T>(command: string, request: object = {}) => sdk.ask<T>(command, { key, ...request });
  const method = <T>(called: string, args: readonly unknown[], named: object = {}) =>
    ask<T>('method', { name: called, args, named });
  const base = (computer: string) => ({ agent: name, req_id: randomUUID(), computer });
  checkJoined(await ask('agent', setup));
  return {
    has: (feature) => version >= SINCE[feature].agent,
    async tools(computer) {
      const { tools } = await method<{ tools: { name: string }[] }>('get_tools_from_computer', [computer]);
      return tools.map((tool) => tool.name);
    },
    call: (computer, tool, params, timeout = 30) =>
      method<ToolResult>('emit_tool_call', [computer, tool, params, timeout]),
    async cancelledCall(computer, tool, params, started) {
      const payload = { ...base(computer), tool_name: tool, params, timeout: 30 };
      const answer = ask<ToolResult>('raw', { event: 'client:tool_call', payload, timeout: 32 });
      answer.catch(() => {});
      await started;
      await ask('emit', { event: 'server:tool_call_cancel', payload: { agent: name, req_id: payload.req_id } });
      return answer;
    },
    room: () => method('get_computers_in_office', [office]),
    desktop: async (computer, options) =>
      (await method<{ desktops: string[] }>('get_desktop_from_computer', [computer], options)).desktops,
    config: (computer) =>
      version >= '0.3'
        ? method('get_config_from_computer', [computer])
        : ask('raw', { event: 'client:get_config', payload: base(computer), timeout: 8 }),
    async resources(computer, server, cursor) {
      const page = await method<{ resources: { uri: string }[]; next_cursor?: string }>('get_resources', [
        ...[computer, server, cursor ?? null],
      ]);
      return { uris: page.resources.map(({ uri }) => uri), next: page.next_cursor };
    },
    skills: async (computer) =>
      (await method<{ skills: { name: string }[] }>('get_skills', [computer])).skills.map((skill) => skill.name),
    async skill(computer, skill, path) {
      const file = await method<{ body?: string; blob_handle?: string }>('get_skill', [computer, skill, path ?? null]);
      return file.body ?? ask<number>('drained', { computer, handle: file.blob_handle });
    },
    put: async (computer, size, hint) =>
      (await method<{ landing_path: string }>('put_blob', [computer, size, hint])).landing_path,
    async putChunks(computer, chunks) {
      const answers = await ask<{ code?: number; details?: { reason?: string } }[]>('put chunks', { computer, chunks });
      return answers.map(({ code, details }) => (code === undefined ? undefined : `${code} ${details?.reason}`));
    },
    async receives(change, action) {
      const event = REPORTS[change](version);
      const before = (await ask<Record<string, number>>('counts'))[event] ?? 0;
      await action();
      await ask('heard', { event, before });
    },
    async reconnect() {
      await ask('stop agent');
      checkJoined(await ask('connect agent'));
    },
    stop: () => ask('stop agent'),
  };
}

/** The acknowledgement is a pair up to 0.4. */
function checkJoined(ack: unknown): void {
  const [ok, reason] = ack as [boolean, string | null];
  if (ok !== true) throw new PeerError(`refused: ${reason}`);
}

async function sdkComputer(sdk: SdkProcess, setup: ComputerSetup): Promise<ComputerRole> {
  const key = randomUUID();
  const ask = (command: string, request: object = {}) => sdk.ask<void>(command, { key, ...request });
  await ask('computer', setup);
  return {
    has: (feature) => sdk.version >= SINCE[feature].computer,
    join: (url, office) => ask('join', { url, office }),
    update: (kind) => ask('update', { kind }),
    leave: (office) => ask('leave', { office }),
    drop: () => ask('drop'),
    stop: () => ask('stop computer'),
  };
}

/** The chunks of an upload: the first declares size and hash. */
export function uploadOf(bytes: number, { sha256 }: { sha256?: string } = {}): object {
  const data = Buffer.alloc(bytes, 'z');
  return {
    total_size: bytes,
    sha256: sha256 ?? createHash('sha256').update(data).digest('hex'),
    ...chunk(0, data, true),
  };
}

export function chunk(offset: number, data: Buffer, eof: boolean): object {
  return { chunk_offset: offset, blob: data.toString('base64'), eof };
}
