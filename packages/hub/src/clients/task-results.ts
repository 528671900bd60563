import type { JsonObject } from '@a2c/config';
import { isRecord } from '@a2c/protocol';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/** Holds the result with the task in the one that the SDK reads. */
const TASK_RESULT = 'a2c_task_result';

/**
 * Makes a result of type `task`, which the extension of MCP 2026-07-28 for tasks defines, acceptable to the SDK: it
 * rejects the types it does not know. `taskResult` returns the result as it was sent.
 */
export function acceptTaskResult(message: JSONRPCMessage): void {
  if (!('result' in message) || message.result.resultType !== 'task') return;
  message.result = { resultType: 'complete', content: [], [TASK_RESULT]: message.result };
}

/** The result as the server sent it. */
export function taskResult(result: JsonObject): JsonObject {
  const sent = result[TASK_RESULT];
  return isRecord(sent) ? (sent as JsonObject) : result;
}

/** Whether a result of `tools/call` is a task that has only begun, in either generation. */
export function isTaskResult(result: Readonly<Record<string, unknown>>): boolean {
  return result.resultType === 'task' || (isRecord(result.task) && typeof result.task.taskId === 'string');
}
