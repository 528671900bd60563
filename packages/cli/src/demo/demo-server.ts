/** The MCP server that `a2c up` hosts by default: it uses every feature of a2c and needs no download. */
import { cpus, freemem, hostname, platform, release, totalmem, uptime } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { VERSION } from '../version.js';
import { barChart } from './bar-chart.js';

const CLOCK_WINDOW = 'window://a2c.demo/clock?priority=20';
const NOTES_WINDOW = 'window://a2c.demo/notes?priority=80';
const CLOCK_MS = 10_000;

/** The notes of all connections, for the life of the process. */
const notes: string[] = [];
const servers = new Set<McpServer>();

function createServer(): McpServer {
  const server = new McpServer(
    { name: 'a2c-demo', title: 'a2c demo', version: VERSION },
    {
      instructions: 'Tools to try a2c with: the time, this machine, notes, a chart, a countdown.',
      capabilities: { resources: { subscribe: true, listChanged: true } },
    },
  );
  // Subscriptions are not tracked: every connection is notified of both windows.
  server.server.setRequestHandler('resources/subscribe', async () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', async () => ({}));
  servers.add(server);
  server.server.onclose = () => servers.delete(server);

  const readOnly = { readOnlyHint: true, openWorldHint: false };
  const timezone = { type: 'string', description: 'IANA name, such as Asia/Shanghai (default: local)' };
  server.registerTool(
    'now',
    { description: 'The date and time.', annotations: readOnly, inputSchema: parameters({ timezone }) },
    ({ timezone: zone }) => text(formatTime(zone as string | undefined)),
  );
  server.registerTool(
    'system_info',
    {
      description: 'This machine: system, processors, memory.',
      annotations: readOnly,
      inputSchema: parameters(),
    },
    () => {
      const info = systemInfo();
      return { ...text(JSON.stringify(info)), structuredContent: info };
    },
  );
  server.registerTool(
    'add_note',
    {
      description: 'Adds a note, which the notes window shows.',
      annotations: { readOnlyHint: false, destructiveHint: false },
      inputSchema: parameters({ text: { type: 'string', minLength: 1 } }, ['text']),
    },
    ({ text: note }) => {
      notes.push(String(note));
      notifyUpdated(NOTES_WINDOW);
      return text(`Note ${notes.length} added.`);
    },
  );
  server.registerTool(
    'bar_chart',
    {
      description: 'A PNG image with a bar for each number.',
      annotations: readOnly,
      inputSchema: parameters({ values: { type: 'array', items: { type: 'number' }, minItems: 1, maxItems: 100 } }, [
        'values',
      ]),
    },
    ({ values }) => ({
      content: [{ type: 'image', mimeType: 'image/png', data: barChart(values as number[]).toString('base64') }],
    }),
  );
  server.registerTool(
    'countdown',
    {
      description: 'Counts down and reports progress; can be cancelled.',
      annotations: readOnly,
      inputSchema: parameters({ seconds: { type: 'integer', minimum: 1, maximum: 3_600 } }, ['seconds']),
    },
    async ({ seconds }, { mcpReq }) => {
      const total = Number(seconds);
      const progressToken = mcpReq._meta?.progressToken;
      for (let progress = 1; progress <= total; progress++) {
        await delay(1_000, undefined, { signal: mcpReq.signal });
        if (progressToken === undefined) continue;
        const params = { progressToken, progress, total, message: `${total - progress} left` };
        await mcpReq.notify({ method: 'notifications/progress', params });
      }
      return text('Lift-off.');
    },
  );
  server.registerTool(
    'clear_notes',
    {
      description: 'Deletes all notes.',
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
      inputSchema: parameters(),
    },
    () => {
      const { length } = notes.splice(0);
      notifyUpdated(NOTES_WINDOW);
      return text(`${length} ${length === 1 ? 'note' : 'notes'} deleted.`);
    },
  );
  window(server, 'Clock', CLOCK_WINDOW, () => formatTime(undefined));
  window(
    server,
    'Notes',
    NOTES_WINDOW,
    () => notes.map((note, index) => `${index + 1}. ${note}`).join('\n') || 'No notes yet.',
  );
  return server;
}

function parameters(properties: object = {}, required: readonly string[] = []) {
  const schema = { type: 'object', properties, required: [...required], additionalProperties: false };
  return fromJsonSchema<Record<string, unknown>>(schema as never);
}

function text(value: string) {
  return { content: [{ type: 'text' as const, text: value }] };
}

function window(server: McpServer, title: string, uri: string, show: () => string): void {
  server.registerResource(title, uri, { title, mimeType: 'text/plain' }, async () => ({
    contents: [{ uri, mimeType: 'text/plain', text: show() }],
  }));
}

/** Notifies all connections. A connection that has just closed needs no notification. */
function notifyUpdated(uri: string): void {
  for (const { server } of servers) server.sendResourceUpdated({ uri }).catch(() => {});
}

function formatTime(timeZone: string | undefined): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long', timeZone }).format(new Date());
}

function systemInfo() {
  const gigabytes = (bytes: number) => Math.round(bytes / 1e8) / 10;
  return {
    host: hostname(),
    system: `${platform()} ${release()}`,
    processors: cpus().length,
    memory_gb: gigabytes(totalmem()),
    free_memory_gb: gigabytes(freemem()),
    uptime_hours: Math.round(uptime() / 360) / 10,
    node: process.version,
  };
}

const handle = serveStdio(createServer);
const clock = setInterval(() => notifyUpdated(CLOCK_WINDOW), CLOCK_MS);
for (const event of ['end', 'close']) process.stdin.once(event, stop);

function stop(): void {
  clearInterval(clock);
  void handle.close();
}
