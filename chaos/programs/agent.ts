// An Agent under load: node agent.js OPTIONS (JSON)
import { Agent, executionOf, SMCPError } from '@a2c/agent';
import { Random } from '../random.js';
import { CallLog, type LoadOptions, readOptions, resultText, SteadyLoad, someWork } from './calls.js';

interface Options extends LoadOptions {
  /** Calls of these Computers are made again under their id when it is unknown whether they ran. */
  readonly durable: readonly string[];
}

const { url, office, name, log: path, computers, durable, everyMs, seed } = readOptions<Options>();
const log = new CallLog(path);
const random = new Random(seed ^ process.pid);
const agent = Agent.create({ url, office, name, apiKey: process.env.CHAOS_KEY });

agent.on('disconnected', ({ reason }) => log.note(`connection lost: ${reason}`));
agent.on('reconnected', () => log.note('reconnected'));
agent.on('ended', (error) => {
  log.note(`ended: ${error.message}`);
  process.exitCode = 3;
  process.exit();
});

let isStopping = false;
let count = 0;
async function call(): Promise<void> {
  const id = `${name}.${process.pid}.${++count}`;
  const computer = computers[count % computers.length] as string;
  const work = { ...someWork(random), willAbort: random.next() < 0.03 };
  const execution = await attempt(id, computer, work);
  if (execution === 'unknown' && durable.includes(computer) && !isStopping) await attempt(id, computer, work);
}

async function attempt(
  id: string,
  computer: string,
  { timeout, ms, size, willAbort }: { timeout: number; ms: number; size: number; willAbort: boolean },
): Promise<string> {
  const end = { id, computer };
  const abort = willAbort ? AbortSignal.timeout(200) : undefined;
  // The Agent waits five seconds longer than the Computer.
  log.start({ id, computer, limitMs: (timeout + 5) * 1_000 });
  try {
    const args = { id, agent: name, ms, size };
    const result = await agent.callTool(computer, 'work', args, {
      timeout,
      reqId: id,
      ...(abort && { signal: abort }),
    });
    const [part] = result.content;
    const text = part?.type === 'text' ? String(part.text) : '';
    const execution = executionOf(result);
    if (result.isError)
      log.end({ ...end, outcome: 'failed result', execution, isRight: true, text: text.slice(0, 200) });
    else
      log.end({
        ...end,
        outcome: 'result',
        execution,
        isRight: text.startsWith(resultText({ id, agent: name, office, computer })),
        text: text.slice(0, 200),
      });
    return execution;
  } catch (error) {
    const execution = executionOf(error as Error);
    const text = String(error).slice(0, 300);
    if (abort?.aborted && error === abort.reason)
      log.end({ ...end, outcome: 'aborted', execution, isRight: true, text });
    else log.end({ ...end, outcome: 'error', execution, isRight: error instanceof SMCPError, text });
    return execution;
  }
}

let load: SteadyLoad | undefined;
let foreign: NodeJS.Timeout | undefined;
process.once('SIGTERM', async () => {
  isStopping = true;
  clearInterval(foreign);
  await load?.stop();
  await agent.close();
  log.note('closed');
  process.exit(0);
});

await agent.join(office, { retryForMs: Number.POSITIVE_INFINITY });
log.note('joined');
console.log('ready');
load = new SteadyLoad(everyMs, 150, call);
foreign = setInterval(() => {
  for (const other of agent.computers.keys())
    if (!computers.includes(other)) log.note(`CROSSED: sees the Computer ${other}`);
}, 500);
