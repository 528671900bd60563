import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';
import { DOORS, enter } from './doors.js';
import { fixture } from './fixture.js';
import { proxyOver } from './hub-over.js';

describe.each(DOORS)('for a client of $generation on $door', (door) => {
  verifies('SEC-FIELD-01', 'one wrong type does not spoil the prompts and resources of all servers', async () => {
    const wrong = { name: 'x', title: 5 };
    const made = fixture(
      'wrong',
      {},
      {
        capabilities: { resources: {}, prompts: {} },
        more: (server) => {
          server.setRequestHandler('resources/list', () => ({ resources: [{ ...wrong, uri: 'x:y' }] }) as never);
          server.setRequestHandler(
            'resources/templates/list',
            () => ({ resourceTemplates: [{ ...wrong, uriTemplate: 'z:{y}' }] }) as never,
          );
          server.setRequestHandler('prompts/list', () => ({ prompts: [{ ...wrong, arguments: 5 }] }) as never);
        },
      },
    );
    const client = await enter(await proxyOver(made), door, { serve: { passThrough: true } });
    expect((await client.listResources()).resources).toEqual([{ name: 'x', uri: 'x:y' }]);
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([{ name: 'x', uriTemplate: 'z:{y}' }]);
    expect((await client.listPrompts()).prompts).toEqual([{ name: 'x' }]);
  });
});
