import { parentPort } from 'node:worker_threads';
import { problemFinder } from './find-problems.js';
import type { ThreadTask } from './server-thread.js';

// The code of a `ServerThread`. VRL is large, and most servers have no script.
parentPort?.on('message', async (task: ThreadTask) => {
  if (task.kind === 'check') parentPort?.postMessage(problemFinder(task.schema)(task.args));
  else parentPort?.postMessage((await import('./transform-event.js')).transformEvent(task));
});
// Its modules are loaded: the limit of a task counts from here.
parentPort?.postMessage('ready');
