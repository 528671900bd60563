import type { JsonObject } from '@a2c/config';
import { isRecord } from '@a2c/protocol';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/** Holds the result with the task in the one that the SDK reads. */
const TASK_RESULT = 'a2c_task_result';

/** Holds the data of an error in the one that the SDK reads. */
const ERROR_DATA = 'a2c_error_data';

/**
 * Makes messages acceptable to the SDK that it rejects or changes. It rejects a result of type `task`, which the
 * extension of MCP 2026-07-28 for tasks defines; `taskResult` returns the result as it was sent. And it replaces the
 * code -32002 of MCP 2025 by that of MCP 2026 if the data names the resource; `errorData` returns the data.
 */
export function keepAsSent(message: JSONRPCMessage): void {
  if ('error' in message && message.error.code === RESOURCE_NOT_FOUND) {
    message.error = { ...message.error, data: { [ERROR_DATA]: message.error.data } };
  }
  if (!('result' in message) || message.result.resultType !== 'task') return;
  message.result = { resultType: 'complete', content: [], [TASK_RESULT]: message.result };
}

const RESOURCE_NOT_FOUND = -32_002;

/** The data of an error as the server sent it. */
export function errorData(data: unknown): unknown {
  return isRecord(data) && ERROR_DATA in data ? data[ERROR_DATA] : data;
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
