import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { type FromWorker, SENT, type ToWorker, type WorkerData } from '../messages.js';
import { type Engine, newEngine } from './engine.js';
import { GuestRun } from './guest-run.js';

/** The entry of a worker thread: one run at a time, each in a fresh engine that is prepared before it is needed. */
const { engine: compiled, limits, counters: shared } = workerData as WorkerData;
const counters = new Int32Array(shared);
const port = parentPort as MessagePort;
const post = (message: FromWorker) => port.postMessage(message);

/** Waits without the event loop, which would take several times as long to wake up. */
function receive(waitMs: number): ToWorker | undefined {
  for (;;) {
    const sent = Atomics.load(counters, SENT);
    const received = receiveMessageOnPort(port) as { message: ToWorker } | undefined;
    if (received) return received.message;
    if (Atomics.wait(counters, SENT, sent, waitMs) === 'timed-out') return undefined;
  }
}

let engine: Engine | undefined;

async function prepare(): Promise<void> {
  engine = await newEngine(compiled, limits);
  post({ type: 'ready' });
}

port.on('message', async (message: ToWorker) => {
  // The answer to a call of a run that has ended.
  if (message.type !== 'run') return;
  const used = engine;
  if (!used) throw new Error('a run arrived before the engine was ready');
  engine = undefined;
  const { end, broken } = await new GuestRun(used, { limits, counters, post, receive }).run(message);
  const reusable = !broken && !used.bloated;
  post({ type: 'end', end, reusable });
  if (reusable) await prepare();
});

await prepare();
