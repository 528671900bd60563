import type { JsonObject } from '@a2c/config';
import { delay, isRecord } from '@a2c/protocol';
import type { InputRequiredResult } from '@modelcontextprotocol/client';
import { answerAll } from '../clients/input-required.js';
import type { Deadline } from '../deadline.js';
import { HubError } from '../errors.js';
import type { BegunTask } from './begun-task.js';
import type { HubCallOptions } from './call-options.js';

const POLL_MS = 1_000;
const MIN_POLL_MS = 50;

/**
 * Waits for a task of the extension of MCP 2026-07-28, for callers that know no such tasks: answers what the task asks,
 * and resolves with its result.
 */
export async function resultOfModernTask(
  begun: BegunTask,
  first: JsonObject,
  options: HubCallOptions,
  deadline: Deadline,
): Promise<JsonObject> {
  const { server } = begun;
  const { signal } = deadline;
  const answered = new Set<string>();
  for (let task = first; ; task = await begun.send('tasks/get')) {
    if (task.status === 'completed' && isRecord(task.result)) return task.result as JsonObject;
    if (ENDED.includes(task.status as string)) throw failureOf(task, server);
    const requests = isRecord(task.inputRequests) ? Object.entries(task.inputRequests) : [];
    const inputRequests = Object.fromEntries(requests.filter(([key]) => !answered.has(key)));
    if (Object.keys(inputRequests).length > 0) {
      const asked = { inputRequests } as unknown as InputRequiredResult;
      const answers = await answerAll(asked, options, { server, signal });
      for (const key of Object.keys(inputRequests)) answered.add(key);
      await begun.send('tasks/update', answers);
    } else await delay(pauseOf(task), signal);
  }
}

const ENDED = ['completed', 'failed', 'cancelled'];

function pauseOf({ pollIntervalMs }: JsonObject): number {
  return typeof pollIntervalMs === 'number' ? Math.max(MIN_POLL_MS, pollIntervalMs) : POLL_MS;
}

function failureOf({ status, statusMessage, error }: JsonObject, server: string): HubError {
  const { message = statusMessage, code, data } = (isRecord(error) ? error : {}) as JsonObject;
  const text = typeof message === 'string' ? message : `the task of server "${server}" is ${status}`;
  return new HubError('upstream', text, { server, ...(typeof code === 'number' && { code }), data });
}
