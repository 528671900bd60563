import { join } from 'node:path';
import { type RequirementId, verifies } from '@a2c/requirements';
import { describe } from 'vitest';
import { type Generation, type Subject, transportBehaviours } from './behaviour.js';
import { http, script, sse, start, stdio, temporaryFolder } from './harness.js';

function behaves(
  requirement: RequirementId,
  name: string,
  subject: () => Promise<Subject>,
  generations: readonly Generation[] = ['legacy', 'auto'],
): void {
  for (const generation of generations) {
    describe(`${name} (${generation})`, () => {
      for (const { title, body } of transportBehaviours(subject, generation)) {
        verifies(requirement, title, body, { timeout: 30_000 });
      }
    });
  }
}

behaves('HUB-STDIO-01', 'stdio', async () => ({
  transport: stdio([process.execPath, script('sdk.mjs')]),
}));

behaves('HUB-UNIX-01', 'unix', async () => {
  const { place, kill } = await start('sdk.mjs', 'unix', join(await temporaryFolder(), 's'));
  return { transport: { type: 'unix', unix_path: place }, kill };
});

behaves('HUB-HTTP-01', 'streamable HTTP', async () => {
  const { place, kill } = await start('sdk.mjs', 'http');
  return { transport: http(place), kill };
});

behaves('HUB-UNIX-02', 'HTTP over a socket', async () => {
  const { place, kill } = await start('sdk.mjs', 'http-unix', join(await temporaryFolder(), 's'));
  return { transport: http(place), kill };
});

behaves(
  'HUB-SSE-01',
  'SSE',
  async () => {
    const { place, kill } = await start('sse.mjs');
    return { transport: sse(place), kill };
  },
  ['legacy'],
);

behaves(
  'HUB-UNIX-02',
  'SSE over a socket',
  async () => {
    const { place, kill } = await start('sse.mjs', `unix=${join(await temporaryFolder(), 's')}`);
    return { transport: sse(place), kill };
  },
  ['legacy'],
);
