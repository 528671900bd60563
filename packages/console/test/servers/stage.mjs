// An MCP server for the tests of the console: results of every kind, progress, consent, windows, hostile texts.
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

console.error(`started with ${process.env.TOKEN ?? 'no token'}`);

const WINDOW = 'window://stage/board?priority=50';
const HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
/** The description of `greet` may change between two starts. */
const GREETING = existsSync('greeting.txt') ? readFileSync('greeting.txt', 'utf8') : 'Greets someone.';
let runs = 0;
let board = 'empty';

function create() {
  const server = new McpServer(
    { name: 'stage', version: '1.0.0' },
    { instructions: HOSTILE, capabilities: { resources: { subscribe: true, listChanged: true } } },
  );
  server.server.setRequestHandler('resources/subscribe', async () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', async () => ({}));
  const tool = (name, description, properties, required, run) =>
    server.registerTool(
      name,
      {
        description,
        inputSchema: fromJsonSchema({ type: 'object', properties, required, additionalProperties: false }),
      },
      run,
    );
  const text = (value) => ({ content: [{ type: 'text', text: value }] });
  tool('greet', GREETING, { name: { type: 'string' } }, ['name'], ({ name }) => text(`Hello ${name}, run ${++runs}.`));
  tool('token', 'Compares the token of this server.', { expected: { type: 'string' } }, ['expected'], ({ expected }) =>
    text(String(process.env.TOKEN === expected)),
  );
  tool('script', HOSTILE, {}, [], () => ({
    content: [
      { type: 'text', text: HOSTILE },
      { type: 'resource_link', uri: 'javascript:window.hacked=1', name: 'link' },
      {
        type: 'image',
        mimeType: 'image/svg+xml',
        data: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>parent.hacked=1</script></svg>').toString(
          'base64',
        ),
      },
    ],
  }));
  tool('media', 'Returns a sound, links and a file.', {}, [], () => ({
    content: [
      { type: 'audio', mimeType: 'audio/wav', data: silence().toString('base64') },
      { type: 'resource_link', uri: 'https://example.com/report', name: 'The report' },
      { type: 'resource_link', uri: 'file:///tmp/notes.txt', name: 'Notes' },
      { type: 'resource', resource: { uri: 'note:///1', mimeType: 'text/plain', text: 'An embedded note' } },
    ],
  }));
  tool('rows', 'Returns rows.', {}, [], () => {
    const rows = [
      { city: 'Oslo', people: 709_000 },
      { city: 'Bergen', people: 291_000 },
    ];
    return { ...text(JSON.stringify(rows)), structuredContent: { rows } };
  });
  tool(
    'shape',
    'Takes nested arguments.',
    {
      place: { type: 'object', properties: { city: { type: 'string' }, zip: { type: 'integer' } }, required: ['city'] },
      tags: { type: 'array', items: { type: 'string' } },
      size: { enum: ['small', 'large'] },
      any: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      loud: { type: 'boolean' },
    },
    ['place', 'size'],
    (given) => text(JSON.stringify(given)),
  );
  tool('count', 'Counts slowly.', { steps: { type: 'integer' } }, ['steps'], async ({ steps }, { mcpReq }) => {
    for (let progress = 1; progress <= steps; progress++) {
      await delay(200, undefined, { signal: mcpReq.signal });
      const progressToken = mcpReq._meta?.progressToken;
      const params = { progressToken, progress, total: steps, message: `step ${progress}` };
      if (progressToken !== undefined) await mcpReq.notify({ method: 'notifications/progress', params });
    }
    return text('counted');
  });
  tool('long', 'Returns a long text.', { length: { type: 'integer' } }, ['length'], ({ length }) =>
    text('x'.repeat(length)),
  );
  tool('crash', 'Reports a failure.', {}, [], () => ({ ...text('It broke.'), isError: true }));
  tool('board', 'Writes on the board.', { text: { type: 'string' } }, ['text'], ({ text: written }) => {
    board = written;
    server.server.sendResourceUpdated({ uri: WINDOW }).catch(() => {});
    return text('written');
  });
  server.registerResource('Board', WINDOW, { title: 'Board', mimeType: 'text/plain' }, async () => ({
    contents: [{ uri: WINDOW, mimeType: 'text/plain', text: board }],
  }));
  return server;
}

/** A tenth of a second of silence as a WAV file: 8,000 samples per second of 8 bits. */
function silence() {
  const samples = 800;
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20); // PCM
  header.writeUInt16LE(1, 22); // one channel
  header.writeUInt32LE(8_000, 24);
  header.writeUInt32LE(8_000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples, 40);
  return Buffer.concat([header, Buffer.alloc(samples, 128)]);
}

const handle = serveStdio(create);
await new Promise((resolve) => process.stdin.once('end', resolve).once('close', resolve));
await handle.close();
