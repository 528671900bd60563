import { parentPort } from 'node:worker_threads';
import type { CheckTask } from './check-thread.js';
import { problemFinder } from './find-problems.js';

// The code of the thread in which `CheckThread` checks arguments.
parentPort?.on('message', ({ schema, args }: CheckTask) => {
  parentPort?.postMessage(problemFinder(schema)(args));
});
