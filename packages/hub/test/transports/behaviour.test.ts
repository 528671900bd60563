import { join } from 'node:path';
import { behavesAsTransport } from './behaviour.js';
import { http, script, sse, start, stdio, temporaryFolder } from './harness.js';

behavesAsTransport('HUB-STDIO-01', 'stdio', async () => ({
  transport: stdio([process.execPath, script('sdk.mjs')]),
}));

behavesAsTransport('HUB-UNIX-01', 'unix', async () => {
  const { place, kill } = await start('sdk.mjs', 'unix', join(await temporaryFolder(), 's'));
  return { transport: { type: 'unix', unix_path: place }, kill };
});

behavesAsTransport('HUB-HTTP-01', 'streamable HTTP', async () => {
  const { place, kill } = await start('sdk.mjs', 'http');
  return { transport: http(place), kill };
});

behavesAsTransport('HUB-UNIX-02', 'HTTP over a socket', async () => {
  const { place, kill } = await start('sdk.mjs', 'http-unix', join(await temporaryFolder(), 's'));
  return { transport: http(place), kill };
});

behavesAsTransport(
  'HUB-SSE-01',
  'SSE',
  async () => {
    const { place, kill } = await start('sse.mjs');
    return { transport: sse(place), kill };
  },
  ['legacy'],
);
