// A stdio MCP server with the tool `work`, which records every execution itself:
// node child.js RECORDS OFFICE COMPUTER CONTROL
// The file CONTROL makes it slow (`slow MS`) or ends it at the next call (`die`).
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { nowMs } from '../clock.js';
import { resultText } from './calls.js';

const [, , records = '', office = '', computer = '', control = ''] = process.argv;

interface Work {
  readonly id: string;
  readonly agent: string;
  readonly ms?: number;
  readonly size?: number;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: {
    readonly protocolVersion?: string;
    readonly name?: string;
    readonly requestId?: number | string;
    readonly arguments?: Work;
  };
}

const INPUT = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    agent: { type: 'string' },
    ms: { type: 'number' },
    size: { type: 'number' },
  },
  required: ['id', 'agent'],
};

/** The fuzzer asks for any number. */
const MAX_SIZE = 2 ** 20;

const running = new Map<number | string, NodeJS.Timeout>();

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function order(): readonly string[] {
  try {
    return readFileSync(control, 'utf8').split(' ');
  } catch {
    return []; // no fault
  }
}

function work(id: number | string, { id: call, agent, ms = 0, size = 0 }: Work): void {
  appendFileSync(records, `${JSON.stringify({ t: nowMs(), id: call, agent, office, computer, pid: process.pid })}\n`);
  const [what, amount] = order();
  if (what === 'die') process.exit(7);
  const text = `${resultText({ id: call, agent, office, computer })}${'x'.repeat(Math.min(Math.max(0, size), MAX_SIZE))}`;
  const finish = () => {
    running.delete(id);
    send({ id, result: { content: [{ type: 'text', text }] } });
  };
  running.set(id, setTimeout(finish, ms + (what === 'slow' ? Number(amount) : 0)));
}

function handle({ id, method, params }: Message): void {
  if (method === 'notifications/cancelled' && params?.requestId !== undefined) {
    clearTimeout(running.get(params.requestId));
    running.delete(params.requestId);
  }
  if (id === undefined) return;
  if (method === 'initialize') {
    const { protocolVersion } = params ?? {};
    send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'work', version: '1' } } });
  } else if (method === 'tools/list') {
    send({ id, result: { tools: [{ name: 'work', description: 'Works.', inputSchema: INPUT }] } });
  } else if (method === 'tools/call' && params?.arguments) work(id, params.arguments);
  else if (method === 'ping') send({ id, result: {} });
  else send({ id, error: { code: -32601, message: `no method ${method}` } });
}

createInterface({ input: process.stdin })
  .on('line', (line) => handle(JSON.parse(line) as Message))
  .on('close', () => process.exit(0));
