import type { CallToolResult, OperatorEvents } from '@a2c/protocol';
import { type Signal, signal } from '@preact/signals';
import { request } from './request.js';
import { stream } from './store.js';

/** A tool call that this page started. */
export interface Run {
  readonly id: string;
  readonly server: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly progress?: OperatorEvents['progress'];
  readonly result?: CallToolResult;
  /** Why the call could not be started. */
  readonly error?: string;
}

/** How many calls the page remembers. */
const KEPT = 50;

/** The calls of this page, newest first. */
export const runs: Signal<readonly Run[]> = signal([]);

/** The id of a call of the console at the Computer. */
export function callId({ id }: Pick<Run, 'id'>): string {
  return JSON.stringify([null, '', id]);
}

/** Starts a tool. Its progress and its result arrive as events. */
export function run(server: string, tool: string, args: Readonly<Record<string, unknown>>): string {
  const id = `console-${crypto.randomUUID()}`;
  runs.value = [{ id, server, tool, arguments: args, startedAt: Date.now() }, ...runs.value].slice(0, KEPT);
  void send(id);
  return id;
}

/** Repeats pending calls on a new connection. A call with the same id never runs twice. */
export function resumeRuns(): void {
  for (const { id, result, error } of runs.value) if (!result && error === undefined) void send(id);
}

export function onProgress(progress: OperatorEvents['progress']): void {
  update(progress.id, (each) => (each.result ? each : { ...each, progress }));
}

export function onResult({ id, result }: OperatorEvents['result']): void {
  const endedAt = Date.now();
  if (result) update(id, (each) => ({ ...each, result, endedAt }));
  else void fetchResult(id, endedAt);
}

/** A large result is not in its event. A repeated request without a stream is answered with it. */
async function fetchResult(id: string, endedAt: number): Promise<void> {
  const found = runs.value.find((each) => each.id === id);
  if (!found || found.result) return;
  const { server, tool, arguments: args } = found;
  try {
    const result = (await request('run-tool', { id, server, tool, arguments: args })) as CallToolResult;
    update(id, (each) => ({ ...each, result, endedAt }));
  } catch (error) {
    onRefused(id, error);
  }
}

async function send(id: string): Promise<void> {
  const found = runs.value.find((each) => each.id === id);
  if (!found) return;
  const { server, tool, arguments: args } = found;
  try {
    await request('run-tool', { id, server, tool, arguments: args, stream: stream.value });
  } catch (error) {
    onRefused(id, error);
  }
}

function onRefused(id: string, error: unknown): void {
  const { message, status } = error as Error & { status?: number };
  // Without a connection, the call is sent again when it is back.
  if (status !== 0) update(id, (each) => ({ ...each, error: message, endedAt: Date.now() }));
}

function update(id: string, change: (run: Run) => Run): void {
  runs.value = runs.value.map((each) => (each.id === id ? change(each) : each));
}
