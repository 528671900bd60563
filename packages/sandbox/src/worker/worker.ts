import { parentPort, workerData } from 'node:worker_threads';
import type { FromWorker, ToWorker, WorkerData } from '../messages.js';
import { type Engine, newEngine } from './engine.js';
import { GuestRun } from './guest-run.js';

/** The entry of a worker thread: one run at a time, each in a fresh engine that is prepared before it is needed. */
const { engine: compiled, limits, turn } = workerData as WorkerData;
const counter = new Int32Array(turn);
const post = (message: FromWorker) => parentPort?.postMessage(message);

let engine: Engine | undefined;
let current: GuestRun | undefined;

async function prepare(): Promise<void> {
  engine = await newEngine(compiled, limits);
  post({ type: 'ready' });
}

parentPort?.on('message', (message: ToWorker) => {
  if (message.type !== 'run') return current?.settle(message);
  const used = engine;
  if (!used) throw new Error('a run arrived before the engine was ready');
  engine = undefined;
  current = new GuestRun(used, {
    limits,
    turn: counter,
    post,
    onEnd: (end, broken) => {
      current = undefined;
      const reusable = !broken && !used.bloated;
      post({ type: 'end', end, reusable });
      if (reusable) void prepare();
    },
  });
  void current.start(message);
});

await prepare();
