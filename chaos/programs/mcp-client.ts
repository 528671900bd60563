// An MCP client under load on a proxy of an office: node mcp-client.js OPTIONS (JSON)
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Random } from '../random.js';
import { CallLog, type LoadOptions, readOptions, resultText, SteadyLoad, someWork } from './calls.js';

interface Options extends LoadOptions {
  /** How long the proxy waits for a result. */
  readonly limitMs: number;
}

const { url, office, name, log: path, computers, limitMs, everyMs, seed } = readOptions<Options>();
const log = new CallLog(path);
const random = new Random(seed ^ process.pid);

let connected: Promise<Client> | undefined;

/** The connection of all calls; a new one after a failure. */
function client(): Promise<Client> {
  connected ??= connect();
  return connected;
}

async function connect(): Promise<Client> {
  const fresh = new Client({ name, version: '1' });
  try {
    await fresh.connect(new StreamableHTTPClientTransport(new URL(url)), { timeout: limitMs });
    return fresh;
  } catch (error) {
    connected = undefined;
    await fresh.close();
    throw error;
  }
}

let count = 0;
async function call(): Promise<void> {
  const id = `${name}.${process.pid}.${++count}`;
  const computer = computers[count % computers.length] as string;
  const { ms, size } = someWork(random);
  let used: Client;
  try {
    used = await client();
  } catch {
    return; // the proxy is down: no call was made
  }
  const end = { id, computer };
  log.start({ ...end, limitMs: limitMs + 5_000 });
  try {
    const args = { id, agent: name, ms, size };
    const request = {
      name: 'exec',
      arguments: { server_name: `${computer}/work`, tool_name: 'work', arguments: args },
    };
    const result = await used.callTool(request, { timeout: limitMs + 60_000 });
    const [part] = result.content;
    const text = part?.type === 'text' ? part.text : '';
    if (result.isError)
      log.end({ ...end, outcome: 'failed result', execution: 'unknown', isRight: true, text: text.slice(0, 200) });
    else
      log.end({
        ...end,
        outcome: 'result',
        execution: 'ran',
        isRight: text.startsWith(resultText({ id, agent: name, office, computer })),
        text: text.slice(0, 200),
      });
  } catch (error) {
    log.end({
      ...end,
      outcome: 'error',
      execution: 'unknown',
      isRight: error instanceof Error,
      text: String(error).slice(0, 300),
    });
    connected = undefined;
    await used.close().catch(() => {});
  }
}

const load = new SteadyLoad(everyMs, 30, call);
console.log('ready');
process.once('SIGTERM', () => {
  void load.stop().then(async () => {
    await (await connected?.catch(() => undefined))?.close();
    log.note('closed');
  });
});
