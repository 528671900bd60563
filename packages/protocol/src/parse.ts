import type { z } from 'zod';
import { type AnsweredEvent, answerSchemas } from './answer-schemas.js';
import { errorFromText, readErrorAnswer, SMCPError } from './errors.js';
import type { EventName, NotificationEvent, RequestEvent } from './events.js';
import { type Generation, rulesOf } from './generations.js';
import { isDeeperThan, isRecord, withoutNulls } from './json.js';
import { MAX_ANSWER_DEPTH, WIRE_LIMITS, type WireLimits } from './limits.js';
import type { NotificationOf, RequestOf, ResultOf } from './messages/contract.js';
import { isPlainToolCall, notificationSchemas, requestSchemas } from './request-schemas.js';
import { readToolResult } from './tool-result.js';

/** Field names of older peers. Each is read only when the current name is absent. */
const OLDER_SPELLINGS: readonly (readonly [older: string, current: string, only?: EventName])[] = [
  ['robot_id', 'agent'],
  ['size', 'desktop_size', 'client:get_desktop'],
  ['window_uri', 'window', 'client:get_desktop'],
];

/** Parses the payload of a request; see `parseRequest`. */
export type RequestParser = <E extends RequestEvent>(event: E, payload: unknown) => RequestOf<E>;

/** Creates a `parseRequest` with other limits. */
export function createRequestParser(limits: WireLimits = WIRE_LIMITS): RequestParser {
  const schemas = requestSchemas(limits);
  return (event, payload) => {
    const fields = normaliseFields(event, payload, limits);
    if (event === 'client:tool_call' && isPlainToolCall(fields, limits)) return fields as never;
    return parseWith(schemas[event] as z.ZodType<RequestOf<typeof event>>, event, fields);
  };
}

/**
 * Parses the payload of a request. Accepts what all known peers send, normalises it and keeps unknown fields.
 *
 * @throws SMCPError `BadRequest` that names the event and the path of each problem.
 *
 * @example
 * ```ts
 * socket.on('client:tool_call', (payload, ack) => {
 *   const { tool_name, params, timeout } = parseRequest('client:tool_call', payload);
 * });
 * ```
 */
export const parseRequest: RequestParser = createRequestParser();

/**
 * Parses the payload of a notification, as `parseRequest` parses requests.
 *
 * @throws SMCPError `BadRequest`.
 */
export function parseNotification<E extends NotificationEvent>(event: E, payload: unknown): NotificationOf<E> {
  const fields = normaliseFields(event, payload, WIRE_LIMITS);
  return parseWith(notificationSchemas[event] as z.ZodType<NotificationOf<E>>, event, fields);
}

/**
 * Parses the arguments of an acknowledgement. Pass all arguments of the callback: Socket.IO's `emitWithAck` keeps only
 * the first one and loses the reason of a refused join.
 *
 * @param generation The generation of the peer. It decides whether an empty acknowledgement of a join is a success.
 * @throws SMCPError the error that the peer reported, or `BadRequest` when the answer is malformed.
 *
 * @example
 * ```ts
 * socket.emit('client:get_tools', request, (...ack) => {
 *   const { tools } = parseAnswer('client:get_tools', ack);
 * });
 * ```
 */
export function parseAnswer<E extends RequestEvent>(
  event: E,
  ack: readonly unknown[],
  generation?: Generation,
): ResultOf<E> {
  if (!isAnswered(event)) {
    checkAcknowledged(event, ack, generation);
    return undefined as ResultOf<E>;
  }
  const answer = unwrapAnswer(ack);
  if (answer === undefined || answer === null) throw emptyAnswer(event);
  const error = readErrorAnswer(answer);
  if (error) throw error;
  if (!isRecord(answer)) throw malformed(event, 'answer', 'expected an object');
  if (isDeeperThan(answer, MAX_ANSWER_DEPTH))
    throw malformed(event, 'answer', `nests deeper than ${MAX_ANSWER_DEPTH} levels`);
  const fields = withoutNulls(answer);
  if (event === 'client:tool_call' && isPlainToolResult(fields)) return readToolResult(fields) as ResultOf<E>;
  return parseWith(answerSchemas[event] as z.ZodType, event, fields) as ResultOf<E>;
}

/** Whether the schema has nothing to check: most answers are such results. */
function isPlainToolResult({ content, isError, is_error }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(content) && typeof isError === 'boolean' && is_error === undefined;
}

function isAnswered(event: RequestEvent): event is AnsweredEvent {
  return Object.hasOwn(answerSchemas, event);
}

function normaliseFields(event: EventName, payload: unknown, limits: WireLimits): Record<string, unknown> {
  if (!isRecord(payload)) throw malformed(event, 'payload', 'expected a JSON object');
  if (isDeeperThan(payload, limits.depth))
    throw malformed(event, 'payload', `nests deeper than ${limits.depth} levels`);
  let fields = withoutNulls(payload);
  for (const [older, current, only = event] of OLDER_SPELLINGS) {
    if (only !== event || fields[current] !== undefined || fields[older] === undefined) continue;
    fields = { ...fields, [current]: fields[older] };
  }
  return fields;
}

const MAX_ISSUES = 10;

function parseWith<T>(schema: z.ZodType<T>, event: EventName, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  throw badRequest(
    event,
    issues.slice(0, MAX_ISSUES).map(({ path, message }) => ({ path: path.join('.') || 'answer', problem: message })),
  );
}

function malformed(event: EventName, path: string, problem: string): SMCPError {
  return badRequest(event, [{ path, problem }]);
}

function badRequest(event: EventName, issues: readonly { path: string; problem: string }[]): SMCPError {
  const summary = issues.map(({ path, problem }) => `${path}: ${problem}`).join('; ');
  return new SMCPError('BadRequest', `${event}: ${summary}`, { details: { event, issues } });
}

/** Peers wrap answers in one-element arrays and in `{"Ok": …}`, sometimes in both. This limit is far above that. */
const MAX_WRAPPERS = 8;

/** The answer in the arguments of an acknowledgement, as it was sent. `parseAnswer` also checks it. */
export function unwrapAnswer(ack: readonly unknown[]): unknown {
  let answer: unknown = ack[0];
  for (let i = 0; i < MAX_WRAPPERS; i++) {
    if (Array.isArray(answer) && answer.length === 1) answer = answer[0];
    else if (isRecord(answer) && 'Ok' in answer && Object.keys(answer).length === 1) answer = answer.Ok;
    else break;
  }
  return answer;
}

/**
 * Join and leave answer `[ok, reason]`, flat or as one array, or from 0.5 on nothing or an error. Announcements may
 * answer anything except `false`.
 */
function checkAcknowledged(event: RequestEvent, ack: readonly unknown[], generation: Generation | undefined): void {
  const answer = unwrapAnswer(ack);
  const error = readErrorAnswer(answer);
  if (error) throw error;
  const [ok, reason, detailed] = Array.isArray(answer) ? answer : [answer, ack[1], ack[2]];
  if (ok === false) throw readErrorAnswer(detailed) ?? errorFromText(typeof reason === 'string' ? reason : '');
  const isAnnouncement = event !== 'server:join_office' && event !== 'server:leave_office';
  if (ok === true || isAnnouncement) return;
  if (ok === undefined && rulesOf(generation).officeAck === 'flat') return;
  throw ok === undefined || ok === null ? emptyAnswer(event) : malformed(event, 'answer', 'expected [ok, reason]');
}

function emptyAnswer(event: RequestEvent): SMCPError {
  return malformed(event, 'answer', 'the answer is empty; the peer may not support this event');
}
