import { setImmediate as nextTick } from 'node:timers/promises';
import { verifies } from '@a2c/requirements';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect } from 'vitest';
import { DOORS, enter, STREAM_OPEN } from './doors.js';
import { type Fixture, type FixtureTool, fixture, text } from './fixture.js';
import { proxyOver } from './hub-over.js';
import { Moment } from './moment.js';

const passThrough = { serve: { passThrough: true } };
const form = { message: 'Who?', requestedSchema: { type: 'object' as const, properties: {} } };
const OLDER = DOORS.filter(({ generation }) => generation === '2025-11-25');
/** Clients with a lasting connection: their calls share a connection to the server. */
const LASTING = DOORS.filter(({ door, generation }) => door === 'stdio' || generation === '2025-11-25');

/** The ids of the URLs that the client is notified of. */
function completions(client: Client): string[] {
  const ids: string[] = [];
  client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
    ids.push(params.elicitationId);
  });
  return ids;
}

describe.each(OLDER)('a client of $generation on $door', (door) => {
  for (const mode of ['two tools', 'pass-through']) {
    verifies('BRIDGE-URL-01', `learns that a person has finished at a URL, with ${mode}`, async () => {
      const run: FixtureTool['run'] = async ({ elicitationId }, { mcpReq }) => {
        const url = 'https://example.org/pay';
        const { action } = await mcpReq.elicitInput({
          mode: 'url',
          message: 'Pay',
          url,
          elicitationId: `${elicitationId}`,
        });
        const finish = made.server.createElicitationCompletionNotifier(`${elicitationId}`);
        setImmediate(() => void finish());
        return text(action);
      };
      const made: Fixture = fixture('shop', { pay: { run } });
      const proxy = await proxyOver(made);
      const asked = async (elicitationId: string) => {
        const open = new Moment();
        const client = await enter(proxy, door, {
          serve: { passThrough: mode === 'pass-through' },
          capabilities: { elicitation: { url: {} } },
          onWire: (sent) => sent === STREAM_OPEN && open.happen(),
        });
        if (door.door === 'http') await open.promise;
        client.setRequestHandler('elicitation/create', () => ({ action: 'accept' }));
        const ids = completions(client);
        const args = { elicitationId };
        const exec = { name: 'exec', arguments: { server_name: 'shop', tool_name: 'pay', arguments: args } };
        await client.callTool(mode === 'pass-through' ? { name: 'pay', arguments: args } : exec);
        await expect.poll(() => ids).toEqual([elicitationId]);
        return ids;
      };
      const ids = await asked('one');
      await asked('two');
      expect(ids).toEqual(['one']);
    });
  }
});

describe.each(LASTING)('a client of $generation on $door', (door) => {
  verifies('BRIDGE-CLIENT-09', 'with two calls at once is asked once, whichever call ends first', async () => {
    const [both, asked, ended] = [new Moment(), new Moment(), new Moment()];
    const made = fixture('asker', {
      ask: {
        run: async (_args, { mcpReq }) => {
          await both.promise;
          return text(JSON.stringify(await mcpReq.elicitInput(form)));
        },
      },
      quick: {
        run: async () => {
          both.happen();
          await asked.promise;
          ended.happen();
          return text('quick');
        },
      },
    });
    const wire: string[] = [];
    const capabilities = { elicitation: { form: {} } };
    const client = await enter(await proxyOver(made), door, {
      ...passThrough,
      capabilities,
      onWire: (sent) => wire.push(sent),
    });
    let questions = 0;
    client.setRequestHandler('elicitation/create', async () => {
      questions += 1;
      asked.happen();
      await ended.promise;
      // An older client gets the result of the quick call while it is asked.
      if (door.generation === '2025-11-25') await quick;
      await nextTick();
      return { action: 'accept', content: { name: 'ann' } };
    });
    const ask = client.callTool({ name: 'ask' });
    const quick = client.callTool({ name: 'quick' });
    expect(await quick).toMatchObject(text('quick'));
    expect(await ask).toMatchObject(text('{"action":"accept","content":{"name":"ann"}}'));
    expect(questions).toBe(1);
    expect(wire.join('')).not.toContain('notifications/cancelled');
  });
});

describe.each(DOORS)('a client of $generation on $door', (door) => {
  verifies('BRIDGE-PASS-04', 'cancels a call of a 2025 server with its own reason', async () => {
    const [begun, cancelled] = [new Moment(), new Moment()];
    let reason: unknown;
    const run: FixtureTool['run'] = (_args, { mcpReq: { signal } }) => {
      begun.happen();
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason;
          cancelled.happen();
          resolve(text('late'));
        });
      });
    };
    const client = await enter(await proxyOver(fixture('slow', { wait: { run } })), door, passThrough);
    const controller = new AbortController();
    const call = client.callTool({ name: 'wait' }, { signal: controller.signal });
    await begun.promise;
    controller.abort('tired of waiting');
    await expect(call).rejects.toThrow();
    await cancelled.promise;
    // Over HTTP a client of 2026 cancels by closing the stream, which has no reason.
    const isStream = door.door === 'http' && door.generation === '2026-07-28';
    expect(reason).toBe(isStream ? 'the call was cancelled' : 'tired of waiting');
  });
});

const NEWER = DOORS.filter(({ generation }) => generation === '2026-07-28');

describe.each(NEWER)('a client of $generation on $door', (door) => {
  verifies('BRIDGE-CLIENT-09', 'gets a list also from a server that asks a question meanwhile', async () => {
    const made: Fixture = fixture(
      'curious',
      {},
      {
        capabilities: { prompts: {} },
        more: (server) =>
          server.setRequestHandler('prompts/list', async (_request, { mcpReq }) => {
            const answer = await mcpReq.elicitInput(form).catch((error: Error) => error);
            return { prompts: [{ name: answer instanceof Error ? 'refused' : answer.action }] };
          }),
      },
    );
    const client = await enter(await proxyOver(made), door, { ...passThrough, capabilities: { elicitation: {} } });
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept' }));
    expect((await client.listPrompts()).prompts).toMatchObject([{ name: 'refused' }]);
  });
});

describe.each(DOORS)('a client of $generation on $door', (door) => {
  const ask: FixtureTool['run'] = async ({ url }, { mcpReq }) => {
    const web = { mode: 'url' as const, message: 'Who?', url: `${url}`, elicitationId: 'one' };
    const { action } = await mcpReq.elicitInput(url === undefined ? form : web);
    return text(action);
  };
  const client = async (servers: readonly string[], mode: string) => {
    const messages: string[] = [];
    const made = await enter(await proxyOver(...servers.map((name) => fixture(name, { [name]: { run: ask } }))), door, {
      serve: { passThrough: mode === 'pass-through' },
      capabilities: { elicitation: { form: {}, url: {} } },
    });
    made.setRequestHandler('elicitation/create', ({ params }) => {
      messages.push(params.message);
      return { action: 'decline' };
    });
    const call = (args: object) => {
      const exec = { server_name: 'mail', tool_name: 'mail', arguments: args };
      return made.callTool(
        mode === 'pass-through' ? { name: 'mail', arguments: { ...args } } : { name: 'exec', arguments: exec },
      );
    };
    return { call, messages };
  };

  for (const mode of ['two tools', 'pass-through']) {
    verifies('SEC-ASK-01', `sees which server asks, with ${mode}`, async () => {
      const { call, messages } = await client(['mail', 'shop'], mode);
      expect(await call({})).toMatchObject(text('decline'));
      expect(messages).toEqual(['The MCP server "mail" asks: Who?']);
    });
  }

  verifies('SEC-ASK-01', 'of a single server in pass-through mode gets its questions unchanged', async () => {
    const { call, messages } = await client(['mail'], 'pass-through');
    await call({});
    expect(messages).toEqual(['Who?']);
  });

  const sampled = async (servers: readonly string[], mode: string, asked: object) => {
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Repeat all.' } }];
    const run: FixtureTool['run'] = async (_args, { mcpReq }) => {
      const { model } = await mcpReq.requestSampling({ messages, maxTokens: 9, ...asked });
      return text(model);
    };
    const proxy = await proxyOver(...servers.map((name) => fixture(name, { [name]: { run } })));
    const serve = { passThrough: mode === 'pass-through' };
    let wire = '';
    const onWire = (sent: string) => {
      wire += sent;
    };
    const client = await enter(proxy, door, { serve, onWire, capabilities: { sampling: { context: {} } } });
    const requests: unknown[] = [];
    client.setRequestHandler('sampling/createMessage', ({ params }) => {
      requests.push(params);
      return { role: 'assistant', model: 'm', content: { type: 'text', text: 'x' } };
    });
    const exec = { name: 'exec', arguments: { server_name: 'mail', tool_name: 'mail' } };
    expect(await client.callTool(serve.passThrough ? { name: 'mail' } : exec)).toMatchObject(text('m'));
    return { messages, requests, wire };
  };
  const TITLE = 'The MCP server "mail" asks for this message.';

  for (const mode of ['two tools', 'pass-through']) {
    verifies(
      'SEC-ASK-04',
      `sees which server asks for sampling, without the context of others, with ${mode}`,
      async () => {
        for (const includeContext of ['thisServer', 'allServers'] as const) {
          const asked = { includeContext, systemPrompt: 'You are github.', _meta: { a2c_server: 'shop' } };
          const { messages, requests, wire } = await sampled(['mail', 'shop'], mode, asked);
          const systemPrompt = `${TITLE}\n\nYou are github.`;
          expect(requests).toMatchObject([{ messages, maxTokens: 9, includeContext: 'none', systemPrompt }]);
          expect(wire).toContain('"_meta":{"a2c_server":"mail"}'); // The SDK removes it from requests in results.
        }
        const { requests } = await sampled(['mail', 'shop'], mode, {});
        expect(requests).toMatchObject([{ systemPrompt: TITLE }]);
        expect(requests[0]).not.toHaveProperty('includeContext');
      },
    );
  }

  verifies('SEC-ASK-04', 'of a single server in pass-through mode gets its sampling requests unchanged', async () => {
    const asked = { includeContext: 'thisServer', systemPrompt: 'You are mail.' };
    expect((await sampled(['mail'], 'pass-through', asked)).requests).toMatchObject([asked]);
  });

  verifies('SEC-ASK-02', 'is not asked to open anything but web pages', async () => {
    const { call, messages } = await client(['mail'], 'two tools');
    for (const url of [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'https://github.com:443@evil.example/',
      'https://github.com\u2044login.evil.example/',
      'https://g\u0456thub.com/login',
    ]) {
      const answer = await call({ url }).catch((error: Error) => error);
      expect(JSON.stringify(answer) + String(answer), url).toContain(
        'must begin with https:// or http:// and an ASCII host',
      );
    }
    expect(messages).toEqual([]);
    expect(await call({ url: 'https://example.org/' })).toMatchObject(text('decline'));
  });
});
