import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent, type AgentEvents } from '@a2c/agent';
import { Computer, OfficeLink } from '@a2c/computer';
import { readConfig } from '@a2c/config';
import { SMCPError } from '@a2c/protocol';
import { PeerError } from './peers.js';
import type { AgentRole, ComputerRole, ComputerSetup, Heard, Maker, ToolResult } from './roles.js';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

const EVENTS = {
  config: 'configUpdated',
  tools: 'toolsChanged',
  desktop: 'desktopRefreshed',
  skills: 'skillsChanged',
  enter: 'computerEntered',
  leave: 'computerLeft',
} as const satisfies Record<Heard, keyof AgentEvents>;

/** The programs of this project. */
export const OWN: Maker = { version: 'a2c', agent: ownAgent, computer: ownComputer };

async function translated<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof SMCPError)) throw error;
    throw new PeerError(error.message, error.a2cCode ?? error.code, error.details.reason as string | undefined);
  });
}

async function ownAgent(url: string, office: string, name: string): Promise<AgentRole> {
  const agent = await translated(Agent.connect({ url, office, name }));
  return {
    has: (feature) => feature !== 'raw',
    async tools(computer) {
      await agent.ready({ computer });
      return agent.computers.get(computer)?.tools.map((tool) => tool.name) ?? [];
    },
    call: (computer, tool, params, timeout = 30) =>
      translated(agent.callTool(computer, tool, params as never, { timeout })) as Promise<ToolResult>,
    async cancelledCall(computer, tool, params, started) {
      const reqId = crypto.randomUUID();
      const answer = translated(agent.callTool(computer, tool, params as never, { timeout: 30, reqId }));
      answer.catch(() => {});
      await started;
      await agent.cancel(reqId);
      return (await answer) as ToolResult;
    },
    room: () => translated(agent.listRoom()),
    desktop: (computer, options) => translated(agent.getDesktop(computer, options)),
    config: (computer) => translated(agent.getConfig(computer)),
    async resources(computer, server, cursor) {
      const page = await translated(agent.resources(computer, server, { cursor }));
      return { uris: page.resources.map(({ uri }) => uri), next: page.nextCursor };
    },
    skills: async (computer) => (await translated(agent.skills(computer))).map((skill) => skill.name),
    async skill(computer, skill, path) {
      const file = await translated(agent.skill(computer, skill, path));
      return file.mimeType.startsWith('text/') ? file.text : file.bytes.length;
    },
    put: async (computer, size, hint) =>
      (await translated(agent.putBlob(computer, Buffer.alloc(size, 'y'), { name: hint }))).path,
    putChunks: () => Promise.reject(new Error('our Agent sends whole files')),
    async receives(change, action) {
      const heard = new Promise<void>((resolve) => agent.on(EVENTS[change], () => resolve()));
      await action();
      await heard;
    },
    async reconnect() {
      await agent.leave();
      await translated(agent.join(office));
    },
    stop: () => agent.close(),
  };
}

async function ownComputer({ name, folder, stdio, tools, http }: ComputerSetup): Promise<ComputerRole> {
  const auto = { default_tool_meta: { auto_apply: true } };
  const [command, ...args] = tools;
  const headers = { 'x-note': '${input:token}' };
  const entries = [
    ...stdio.map((server) => ({ name: server, type: 'stdio', server_parameters: { command, args }, ...auto })),
    ...Object.entries(http).map(([server, url]) => ({
      ...{ name: server, type: 'streamable', server_parameters: { url, headers }, ...auto },
    })),
  ];
  const options = [{ label: 'Red', value: 'red' }];
  const inputs = [
    { id: 'color', type: 'pickString', description: 'a color', default: 'red', options },
    { id: 'token', type: 'promptString', description: 'a token', password: true },
  ];
  const { config } = readConfig(JSON.stringify({ servers: entries, inputs }), { file: 'servers.json' });
  const computer = new Computer({
    ...{ name, mcpServers: config?.servers ?? [], inputs: inputs as never, logger: quiet },
    env: { ...process.env, A2C_SMCP_token: SECRET },
    limits: { uploadIdleMs: 3_000 },
    ...(folder !== null && { skills: { home: `${folder}/skills` }, landingRoot: `${folder}/landing` }),
  });
  await computer.boot();
  let link: OfficeLink | undefined;
  return {
    has: () => true,
    async join(url, office) {
      link?.disconnect();
      link = new OfficeLink(computer, { url, logger: quiet });
      await translated(link.connect(office));
      await translated(link.joinOffice(office, { waitForSeat: 'never' }));
    },
    async update(change) {
      if (change === 'config') link?.notifyUpdate();
      else if (change === 'skills') {
        mkdirSync(`${folder}/skills/user/new-skill`, { recursive: true });
        writeFileSync(`${folder}/skills/user/new-skill/SKILL.md`, '---\ndescription: new\n---\nnew\n');
      }
    },
    async leave() {
      await link?.leaveOffice();
    },
    async drop() {
      link?.disconnect();
    },
    async stop() {
      link?.disconnect();
      await computer.close();
    },
  };
}

/** Must not leave our Computer. */
export const SECRET = 'hunter2';
