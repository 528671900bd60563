import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SECRET } from './own-roles.js';
import { PeerError } from './peers.js';
import type { AgentRole, Change, ComputerRole, Maker, ToolResult } from './roles.js';
import { chunk, uploadOf } from './sdk-roles.js';

/** An office with an Agent, a Computer, and a Computer `bare`, which has no MCP server and takes no uploads. */
export interface Office {
  readonly url: string;
  readonly name: string;
  /** The name of the Computer. Servers of the SDK require names that no other office has. */
  readonly pc: string;
  readonly agent: AgentRole;
  readonly agentMaker: Maker;
  readonly computer: ComputerRole;
  readonly computerMaker: Maker;
  readonly bare: ComputerRole;
  /** A folder for files that the operations look at. */
  readonly folder: string;
  readonly serverVersion: string;
}

/** True, or what was wrong. */
type Verdict = boolean | string | undefined;

/** Only something that hangs takes this long, also on a loaded machine. */
const LIMIT_SECONDS = 60;
/** The timeout of a call to which a peer may not answer. */
const SILENCE_SECONDS = LIMIT_SECONDS + 1;

export async function within<T>(work: Promise<T>, seconds = LIMIT_SECONDS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${seconds} s`)), seconds * 1_000);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** The call fails, and says why. */
async function fails(work: Promise<ToolResult>, expected?: RegExp): Promise<Verdict> {
  try {
    const result = await within(work);
    if (result.isError !== true) return `no error: ${JSON.stringify(result).slice(0, 200)}`;
    return expected ? expected.test(textOf(result)) || textOf(result) : true;
  } catch (error) {
    if (!(error instanceof PeerError) || /timeout/i.test(error.message)) throw error;
    return true;
  }
}

/** The request is refused with this code, and with this reason where one is given. */
async function refused(work: Promise<unknown>, code: number, reason?: string): Promise<Verdict> {
  try {
    return `no error: ${JSON.stringify(await within(work)).slice(0, 200)}`;
  } catch (error) {
    if (!(error instanceof PeerError)) throw error;
    // The Python SDK reports the reason of a refused upload without its code.
    const isRight = reason === undefined ? error.code === code : error.reason === reason;
    return isRight || `${error.code} ${error.reason}: ${error.message}`;
  }
}

function textOf({ content }: ToolResult): string {
  return content[0]?.text ?? '';
}

async function nameOf({ agent, pc }: Office, tool: string, server = 'my_tools'): Promise<string> {
  const names = await agent.tools(pc);
  return names.find((name) => name === `${server}__${tool}`) ?? names.find((name) => name === tool) ?? tool;
}

async function call(office: Office, tool: string, params: object, timeout?: number): Promise<ToolResult> {
  return office.agent.call(office.pc, await nameOf(office, tool), params, timeout);
}

function picture(size: number) {
  return async (office: Office): Promise<Verdict> => {
    const result = await within(call(office, 'picture', { size }, SILENCE_SECONDS));
    return result.content[0]?.data?.length === Math.ceil(size / 3) * 4 || JSON.stringify(result).slice(0, 200);
  };
}

/** The path of a file that the tool `slow` writes, and a promise for it. */
function slowTool({ folder }: Office, name: string) {
  const path = join(folder, name);
  const started = (async () => {
    while (!existsSync(path)) await new Promise((resolve) => setTimeout(resolve, 10));
  })();
  return { path, started };
}

/** The MCP server changes. Our Computers announce that; those of the SDK do so on request. */
function receives(change: Change) {
  return async (office: Office): Promise<Verdict> => {
    const isOfServer = change === 'tools' || change === 'desktop';
    const action = async () => {
      if (isOfServer) await call(office, 'change', { what: change });
      await office.computer.update(change);
    };
    await within(office.agent.receives(change, action));
    return true;
  };
}

/** MCP servers are addressed by their names up to 0.2, by bundle ids later; our Agent knows both. */
function serverName({ agentMaker, computerMaker }: Office): string {
  return agentMaker.version.startsWith('0.2') || (agentMaker.version === 'a2c' && computerMaker.version === '0.2.2')
    ? 'my tools'
    : 'my_tools';
}

export interface Operation {
  readonly name: string;
  /**
   * `beside` the others: it mostly waits, and changes nothing. `last`, one after the other: a connection or an MCP
   * server is not usable then.
   */
  readonly when?: 'beside' | 'last';
  /** The features that the Agent and the Computer must have. Otherwise the operation does not exist for them. */
  readonly needs?: readonly Parameters<AgentRole['has']>[0][];
  readonly run: (office: Office) => Promise<Verdict>;
}

/** Every operation of the protocol, in the order of the table. */
export const OPERATIONS: readonly Operation[] = [
  {
    name: 'list_room',
    run: async ({ agent, serverVersion, computerMaker, pc }) => {
      const sessions = await within(agent.room());
      const member = sessions.find(({ name }) => name === pc);
      const tellsVersion = !serverVersion.startsWith('0.1') && computerMaker.version !== '0.1.6';
      const isRight = member && (!tellsVersion || /^0\.\d\.\d$/.test(member.a2c_version ?? ''));
      return isRight || JSON.stringify(sessions);
    },
  },
  {
    name: 'second Agent',
    run: async ({ agentMaker, url, name, pc }) => {
      try {
        const second = await within(agentMaker.agent(url, name, `second ${pc}`));
        await second.stop();
        return 'it joined';
      } catch (error) {
        return error instanceof PeerError || String(error);
      }
    },
  },
  {
    name: 'duplicate Computer',
    run: async ({ computerMaker, url, name, folder, pc }) => {
      const twin = await computerMaker.computer({ name: pc, folder: null, stdio: [], tools: [folder], http: {} });
      try {
        await within(twin.join(url, name));
        return 'it joined';
      } catch (error) {
        return error instanceof PeerError || String(error);
      } finally {
        await twin.stop();
      }
    },
  },
  {
    name: 'enter',
    run: async ({ agent, bare, url, name }) => {
      await within(agent.receives('enter', () => bare.join(url, name)));
      return true;
    },
  },
  { name: 'tools', run: async (office) => (await nameOf(office, 'add')).endsWith('add') || 'not listed' },
  {
    name: 'call',
    run: async (office) => {
      const result = await within(call(office, 'add', { a: 1, b: 2 }));
      return textOf(result) === '3' || JSON.stringify(result);
    },
  },
  {
    name: 'equal tool names',
    run: async (office) => {
      const names = (await within(office.agent.tools(office.pc))).filter((name) => name.endsWith('add'));
      for (const name of names) {
        const result = await within(office.agent.call(office.pc, name, { a: 2, b: 2 }));
        if (textOf(result) !== '4') return JSON.stringify(result);
      }
      const hasTwo = office.computerMaker.version >= '0.3';
      return names.length === (hasTwo ? 2 : 1) || names.join();
    },
  },
  { name: 'tool error', run: (office) => fails(call(office, 'fail', {}), /it failed/) },
  { name: 'unknown tool', run: ({ agent, pc }) => fails(agent.call(pc, 'missing', {})) },
  {
    name: 'unknown Computer',
    when: 'beside',
    run: ({ agent }) => fails(agent.call('missing', 'add', {}, SILENCE_SECONDS), /./),
  },
  {
    name: 'tools of an unknown Computer',
    when: 'beside',
    run: async ({ agent, agentMaker }) => {
      if (agentMaker.version === 'a2c') return true; // It lists the tools of members only.
      try {
        return `a list: ${JSON.stringify(await within(agent.tools('missing')))}`;
      } catch (error) {
        return error instanceof PeerError || String(error);
      }
    },
  },
  { name: 'image 100 KB', run: picture(100_000) },
  {
    name: 'text 300 KB',
    run: async (office) => textOf(await within(call(office, 'long_text', { size: 300_000 }))).length === 300_000,
  },
  {
    name: 'cancel',
    when: 'beside',
    run: async (office) => {
      const { path, started } = slowTool(office, 'cancelled');
      const tool = await nameOf(office, 'slow');
      const result = await within(
        office.agent.cancelledCall(office.pc, tool, { started: path }, started).catch((error: unknown) => {
          if (error instanceof PeerError && /cancel/i.test(error.message))
            return { isError: true, content: [] } as ToolResult;
          throw error;
        }),
      );
      if (result.isError !== true) return JSON.stringify(result).slice(0, 200);
      const meta = result.meta ?? {};
      const hasMarker = meta.a2c_cancelled === true || office.agentMaker.version === 'a2c';
      return !office.computer.has('markers') || hasMarker || `no marker: ${JSON.stringify(result).slice(0, 300)}`;
    },
  },
  {
    name: 'cancel reaches the MCP server',
    when: 'beside',
    run: async (office) => {
      const { path, started } = slowTool(office, 'cancelled');
      const stopped = async () => {
        await started;
        while (readFileSync(path, 'utf8') !== 'cancelled') await new Promise((resolve) => setTimeout(resolve, 10));
      };
      await within(stopped());
      return true;
    },
  },
  {
    name: 'timeout of the Agent',
    when: 'beside',
    run: async (office) => fails(call(office, 'slow', { started: join(office.folder, 'timeout') }, 1)),
  },
  { name: 'update_config', run: receives('config') },
  { name: 'update_tool_list', run: receives('tools') },
  { name: 'update_desktop', run: receives('desktop') },
  { name: 'update_skills', needs: ['skills'], run: receives('skills') },
  {
    name: 'get_config',
    needs: ['get_config'],
    run: async ({ agent, agentMaker, pc }) => {
      const config = await within(agent.config(pc));
      const text = JSON.stringify(config);
      if (text.includes(SECRET)) return 'the secret left the Computer';
      const [key, option] = agentMaker.version < '0.3' ? ['my tools', '"red"'] : ['my_tools', '"value":"red"'];
      if (agentMaker.version === 'a2c') return (/my.tools/.test(text) && text.includes('red')) || text;
      return (key in config.servers && text.includes(option)) || text.slice(0, 600);
    },
  },
  {
    name: 'get_desktop',
    run: async ({ agent, pc }) => {
      const windows = await within(agent.desktop(pc, {}));
      return windows.join().includes('this is window://tools/low') || JSON.stringify(windows);
    },
  },
  {
    name: 'desktop by priority',
    run: async ({ agent, pc }) => {
      const windows = await within(agent.desktop(pc, { size: 1 }));
      return (windows.length === 1 && windows[0]?.includes('tools/high')) || JSON.stringify(windows);
    },
  },
  {
    name: 'one window',
    run: async ({ agent, pc }) => {
      const windows = await within(agent.desktop(pc, { window: 'window://tools/low?priority=10' }));
      return (windows.length > 0 && windows.every((text) => text.includes('tools/low'))) || JSON.stringify(windows);
    },
  },
  {
    name: 'get_resources',
    needs: ['resources'],
    run: async (office) => {
      const first = await within(office.agent.resources(office.pc, serverName(office)));
      const second = await within(office.agent.resources(office.pc, serverName(office), first.next));
      return [first.uris.length, second.uris.length, second.next].join() === '2,1,' || JSON.stringify([first, second]);
    },
  },
  {
    name: 'resources of an unknown server',
    needs: ['resources'],
    run: ({ agent, pc }) => refused(agent.resources(pc, 'nothing'), 4014),
  },
  {
    name: 'resources without the capability',
    needs: ['resources'],
    run: ({ agent, pc }) => refused(agent.resources(pc, 'guarded'), 4015),
  },
  {
    name: 'get_skills',
    needs: ['skills'],
    run: async ({ agent, pc }) => {
      const names = await within(agent.skills(pc));
      return names.includes('my-skill') || names.join();
    },
  },
  {
    name: 'SKILL.md',
    needs: ['skills'],
    run: async ({ agent, pc }) => (await agent.skill(pc, 'my-skill')) === 'hello\n',
  },
  {
    name: 'binary file of a skill',
    needs: ['skills'],
    run: async ({ agent, pc }) => (await within(agent.skill(pc, 'my-skill', 'data.bin'))) === 40_000,
  },
  {
    name: '.skillenv',
    needs: ['skills'],
    run: ({ agent, pc }) => refused(agent.skill(pc, 'my-skill', '.skillenv'), 4017, 'forbidden'),
  },
  {
    name: '../x',
    needs: ['skills'],
    run: ({ agent, pc }) => refused(agent.skill(pc, 'my-skill', '../x'), 4017, 'traversal'),
  },
  { name: 'bad skill name', needs: ['skills'], run: ({ agent, pc }) => refused(agent.skill(pc, 'My Skill'), 4016) },
  { name: 'unknown skill', needs: ['skills'], run: ({ agent, pc }) => refused(agent.skill(pc, 'no-skill'), 4014) },
  {
    name: 'put_blob 1 byte',
    needs: ['put_blob'],
    run: async ({ agent, pc }) => readFileSync(await within(agent.put(pc, 1, 'a.txt'))).length === 1,
  },
  {
    name: 'put_blob 700 KB, two at once',
    needs: ['put_blob'],
    run: async ({ agent, pc }) => {
      const paths = await within(Promise.all([agent.put(pc, 700_000, 'b'), agent.put(pc, 700_000, 'b')]));
      return paths[0] !== paths[1] && paths.every((path) => readFileSync(path).length === 700_000);
    },
  },
  {
    name: 'put_blob without a landing root',
    needs: ['put_blob'],
    run: ({ agent, pc }) => refused(agent.put(`bare ${pc}`, 10, 'c'), 4019, 'forbidden'),
  },
  {
    name: 'put_blob with a wrong hash',
    needs: ['put_blob', 'raw'],
    run: async ({ agent, pc }) => {
      const answers = await within(agent.putChunks(pc, [uploadOf(10, { sha256: '0'.repeat(64) })]));
      return answers[0] === '4019 integrity' || answers.join();
    },
  },
  {
    name: 'put_blob after the idle time',
    when: 'beside',
    needs: ['put_blob', 'raw'],
    run: async ({ agent, pc }) => {
      const late = { ...chunk(5, Buffer.from('56789'), true), pause: 4 };
      const first = { ...uploadOf(10), ...chunk(0, Buffer.from('01234'), false) };
      const answers = await within(agent.putChunks(pc, [first, late]));
      return answers[1] === '4019 invalid_upload' || answers.join();
    },
  },
  ...(['403 4007', '401 4006'] as const).map((which) => ({
    name: `MCP server answers ${which.slice(0, 3)}`,
    when: 'last' as const,
    needs: ['authorization'] as const,
    run: async (office: Office): Promise<Verdict> => {
      const [status, code] = which.split(' ');
      const tool = await nameOf(office, `answers_${status}`, 'guarded');
      const result = await within(office.agent.call(office.pc, tool, {}, 20));
      return (
        (result.isError === true && (result.meta ?? result._meta)?.error_code === Number(code)) ||
        JSON.stringify(result).slice(0, 300)
      );
    },
  })),
  {
    name: 'Computer lost in a call',
    when: 'last',
    run: async (office) => {
      const { path, started } = slowTool(office, 'lost');
      const tool = await nameOf(office, 'slow');
      const outcome = fails(office.agent.call(office.pc, tool, { started: path }, SILENCE_SECONDS));
      outcome.catch(() => {});
      await started;
      await office.computer.drop();
      return outcome;
    },
  },
  {
    name: 'Computer comes back',
    when: 'last',
    run: async (office) => {
      const { agent, computer, url, name } = office;
      await within(agent.receives('enter', () => computer.join(url, name)));
      return textOf(await within(call(office, 'add', { a: 3, b: 3 }))) === '6';
    },
  },
  {
    name: 'leave',
    when: 'last',
    run: async ({ agent, bare, name }) => {
      await within(agent.receives('leave', () => bare.leave(name)));
      return true;
    },
  },
  {
    name: 'Agent reconnects',
    when: 'last',
    run: async (office) => {
      await within(office.agent.reconnect());
      return textOf(await within(call(office, 'add', { a: 4, b: 4 }))) === '8';
    },
  },
  // A peer that cannot take it ends the connection.
  { name: 'image 5 MB', when: 'last', run: picture(5_000_000) },
];
