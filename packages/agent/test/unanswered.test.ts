import { verifies } from '@a2c/requirements';
import { apiKey, firstOf, type Identity } from '@a2c/server';
import { describe, expect, vi } from 'vitest';
import { Agent, executionOf, type SMCPError } from '../src/index.js';
import { agentAt, serve, until } from './harness.js';
import { realComputer } from './real-computer.js';
import { TestComputer, tool } from './test-computer.js';

const LIMITS = { reconnectMinMs: 10, reconnectMaxMs: 50 };

/** An Agent with a key that can be changed or withdrawn, and a call that its Computer runs. */
async function pendingCall(rights: Partial<Identity> = {}, retry = true) {
  const withdrawn = new AbortController();
  let identity: Identity | undefined = { subject: 'bot', revoked: withdrawn.signal, ...rights };
  const ofBot = ({ auth }: { readonly auth: Readonly<Record<string, unknown>> }) =>
    auth.api_key === 'bot' && !(rights.expires && rights.expires < new Date()) ? identity : undefined;
  const { url } = await serve({ authenticate: firstOf([ofBot, apiKey('a-long-key-of-the-computer')]) });
  const computer = await TestComputer.join(url, { tools: [tool('gate')], apiKey: 'a-long-key-of-the-computer' });
  const agent = await agentAt(url, { apiKey: 'bot', limits: LIMITS, retry });
  const failure = agent.callTool('pc', 'gate').then(
    () => undefined,
    (error: SMCPError) => error,
  );
  await until(() => computer.waiting === 1);
  const replaceKey = (other: Identity | undefined) => {
    identity = other;
    withdrawn.abort();
  };
  return { url, computer, agent, failure, replaceKey };
}

type Pending = Awaited<ReturnType<typeof pendingCall>>;

describe('a call that was sent and gets no answer may have run', () => {
  const losses: Readonly<Record<string, readonly [code: number, act: (pending: Pending) => unknown]>> = {
    'its key is removed': [401, ({ replaceKey }) => replaceKey(undefined)],
    'its key is limited to another office': [
      403,
      ({ replaceKey }) => replaceKey({ subject: 'bot', offices: ['another'] }),
    ],
    'its seat is taken over': [
      403,
      ({ url }) => Agent.connect({ url, office: 'o', name: 'a', apiKey: 'bot' }).then((other) => other.close()),
    ],
    'the Agent is closed': [403, ({ agent }) => agent.close()],
    'the Agent leaves': [403, ({ agent }) => agent.leave()],
  };
  for (const [loss, [code, act]] of Object.entries(losses)) {
    verifies('SEC-ONCE-09', loss, async () => {
      const pending = await pendingCall();
      await act(pending);
      const error = (await pending.failure) as SMCPError;
      expect([error.code, executionOf(error)]).toEqual([code, 'unknown']);
      expect(error.message).toMatch(/; the call was sent and may have run$/);
      expect(pending.computer.runs).toHaveLength(1);
      const next = await pending.agent.callTool('pc', 'gate').catch((thrown: SMCPError) => thrown);
      expect(executionOf(next)).toBe('not-run');
    });
  }

  verifies('SEC-ONCE-09', 'its key expires', async () => {
    const { failure } = await pendingCall({ expires: new Date(Date.now() + 1_500) });
    const error = (await failure) as SMCPError;
    expect(executionOf(error)).toBe('unknown');
    expect(error.message).toMatch(/may have run$/);
  });

  verifies('SEC-ONCE-09', 'also an Agent that repeats no calls is closed', async () => {
    const { agent, failure } = await pendingCall({}, false);
    await agent.close();
    expect(executionOf((await failure) as SMCPError)).toBe('unknown');
  });
});

verifies('SEC-ONCE-09', 'a call has run whose result is being fetched when the Agent is closed', async () => {
  const { url, audit } = await serve({ limits: { messageBytes: 10_000 } });
  const { journal } = await realComputer(url);
  const agent = await agentAt(url);
  const failure = agent.callTool('pc', 'image', { bytes: 4 * 2 ** 20 }).catch((error: SMCPError) => error);
  await vi.waitUntil(() => audit.some(({ event }) => event === 'client:get_blob'), 60_000);
  await agent.close();
  const error = (await failure) as SMCPError;
  expect([error.kind, executionOf(error)]).toEqual(['NotInRoom', 'ran']);
  expect(error.message).toContain('the tool has run');
  expect(journal()).toContain('done image');
});
