import { MCP_CLIENT, MCP_OFFICE, NODES, OFFICES, PROXY } from './members.js';
import type { Pause, Program } from './program.js';
import type { CallEnd, CallStart } from './programs/calls.js';
import type { Execution, Records } from './records.js';

/** A broken guarantee. */
export interface Violation {
  readonly what: string;
  /** The programs that the timeline shows; all if absent. */
  readonly who?: ReadonlySet<string>;
  readonly call?: string;
  /** What else helps to find the cause. */
  readonly details?: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** One attempt of a caller to make a call. A call is attempted again under its id where the Computer is durable. */
export interface Attempt {
  readonly caller: string;
  readonly start: CallStart;
  readonly end: CallEnd | undefined;
  /** An earlier attempt under the same id may run at any time. */
  readonly isRepeated: boolean;
}

function byId<T extends { readonly id: string }>(records: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const record of records) {
    const group = groups.get(record.id);
    if (group) group.push(record);
    else groups.set(record.id, [record]);
  }
  return groups;
}

export function attemptsOf({ starts, ends }: Records): Attempt[] {
  const endsOf = byId(ends);
  const used = new Map<string, number>();
  return starts.map((start) => {
    const index = used.get(start.id) ?? 0;
    used.set(start.id, index + 1);
    return { caller: start.caller, start, end: endsOf.get(start.id)?.[index], isRepeated: index > 0 };
  });
}

/** The callers that may use an office. */
const CALLERS_OF: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(OFFICES).map(([office, { agent }]) => [office, office === MCP_OFFICE ? [agent, MCP_CLIENT] : [agent]]),
);

export interface CallChecks {
  readonly records: Records;
  readonly programs: ReadonlyMap<string, Program>;
  /** How much later than its limit a call between these times may end on this machine. */
  readonly slackMs: (from: number, to: number) => number;
  /** When the callers had stopped. */
  readonly endedAt: number;
}

/** Checks all recorded calls and executions. */
export function checkCalls(checks: CallChecks): Violation[] {
  const { records } = checks;
  const executions = byId(records.executions);
  const attempts = attemptsOf(records);
  return [
    ...attempts.flatMap((attempt) => checkAttempt(attempt, executions.get(attempt.start.id) ?? [], checks)),
    ...[...executions.values()].flatMap(checkExecutions),
    ...records.notes
      .filter(({ text }) => text.startsWith('CROSSED'))
      .map(({ caller, text, t }) => ({ what: `${caller}: ${text}`, from: t - 5_000, to: t })),
  ];
}

function checkAttempt(
  { caller, start, end, isRepeated }: Attempt,
  executions: readonly Execution[],
  checks: CallChecks,
): Violation[] {
  const { id, computer, pid, t, limitMs } = start;
  const to = end?.t ?? checks.endedAt;
  const violation = (what: string): Violation => ({
    what: `${caller}, call ${id} of ${computer}: ${what}`,
    call: id,
    who: new Set([caller, computer, 'node1', 'node2', 'redis', 'haproxy', ...(caller === MCP_CLIENT ? [PROXY] : [])]),
    from: Math.min(t, ...executions.map((each) => each.t)) - 2_000,
    to: Math.max(to, ...executions.map((each) => each.t)) + 100,
  });
  const found: Violation[] = [];
  if (!end && !checks.programs.get(caller)?.killed.has(pid)) found.push(violation('never ended'));
  // Timers of a process do not run while it is paused. The MCP client waits for the proxy.
  const waitsFor = caller === MCP_CLIENT ? [caller, PROXY] : [caller];
  const paused = waitsFor.flatMap((name) => checks.programs.get(name)?.pauses ?? []);
  const allowedMs = limitMs + overlapMs(paused, t, to);
  if (end && end.t - t > allowedMs) {
    const allowed = allowedMs + checks.slackMs(t, to);
    const took = `ended after ${Math.round(end.t - t)} ms, allowed are ${Math.round(allowed)} ms: ${end.text}`;
    if (end.t - t > allowed) found.push(violation(took));
  }
  if (!end) return found;
  if (!end.isRight && end.outcome === 'result') found.push(violation(`has the result of another call: ${end.text}`));
  if (!end.isRight && end.outcome === 'error') found.push(violation(`ended with an error without a type: ${end.text}`));
  // What is reported is about this attempt: an earlier one under the same id may run late, in a paused process.
  if (end.execution === 'not-run' && !isRepeated && executions.length > 0)
    found.push(violation(`was reported as not run, but ran: ${end.text}`));
  if (end.execution === 'ran' && executions.length === 0)
    found.push(violation(`was reported as run, but did not run: ${end.text}`));
  return found;
}

function overlapMs(pauses: readonly Pause[], from: number, to: number): number {
  return pauses.reduce((sum, pause) => sum + Math.max(0, Math.min(pause.to, to) - Math.max(pause.from, from)), 0);
}

function checkExecutions(executions: readonly Execution[]): Violation[] {
  const [first] = executions as [Execution];
  const { id, computer, office, agent } = first;
  const times = executions.map(({ t }) => t);
  const who = new Set([computer, agent, 'node1', 'node2', 'redis', 'haproxy']);
  const range = { call: id, who, from: Math.min(...times) - 3_000, to: Math.max(...times) + 1_000 };
  const found: Violation[] = [];
  if (executions.length > 1) found.push({ what: `call ${id} ran ${executions.length} times on ${computer}`, ...range });
  if (!CALLERS_OF.get(office)?.includes(agent))
    found.push({ what: `call ${id} of ${agent} ran in office ${office}`, ...range });
  return found;
}

/** The pairs of a caller and a Computer without a successful call that started after the time. */
export function unserved({ starts, ends }: Records, since: number): string[] {
  const started = new Set(starts.filter(({ t }) => t >= since).map(({ id }) => id));
  const served = new Set(
    ends
      .filter(({ id, outcome }) => outcome === 'result' && started.has(id))
      .map(({ caller, computer }) => `${caller} → ${computer}`),
  );
  return PAIRS.filter((pair) => !served.has(pair));
}

/** Why pairs were not served: the last error of each caller, and the last log lines of the Computers and nodes. */
export function reasonsOf(
  pairs: readonly string[],
  { ends }: Records,
  programs: ReadonlyMap<string, Program>,
): readonly string[] {
  const computers = new Set(pairs.map((pair) => pair.slice(pair.indexOf('→') + 2)));
  const errors = pairs.map((pair) => {
    const last = ends.findLast((end) => `${end.caller} → ${end.computer}` === pair && end.outcome !== 'result');
    return `${pair}: ${last ? `${last.outcome}, ${last.execution}: ${last.text}` : 'no call has ended'}`;
  });
  return [...errors, ...[...computers, ...NODES].map((name) => `log of ${name}: ${programs.get(name)?.lastLines}`)];
}

const PAIRS: readonly string[] = Object.entries(OFFICES).flatMap(([office, { agent, computers }]) =>
  computers.flatMap((computer) => [
    `${agent} → ${computer}`,
    ...(office === MCP_OFFICE ? [`${MCP_CLIENT} → ${computer}`] : []),
  ]),
);
