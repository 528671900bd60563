import {
  type ComputerRequest,
  type Execution,
  errorAck,
  type Generation,
  type GetResourcesReq,
  isRecord,
  META_KEYS,
  type RelayedEvent,
  readErrorAnswer,
  redactDetails,
  rulesOf,
  SMCPError,
  type ToolCallReq,
  unwrapAnswer,
} from '@a2c/protocol';
import type { Member } from '../rooms/registry.js';
import { RawAnswer } from '../wire/raw-json.js';
import { configOf, decode, isLong, serverNames, withBundleIds } from './conversions.js';
import { type BlobSource, inlineBlobs } from './inline-blobs.js';
import { type Answer, EMPTY_ANSWER } from './pending-calls.js';

/** A request of an Agent to a Computer. */
export interface BridgedCall extends BlobSource {
  readonly event: RelayedEvent;
  /** How the Agent speaks. */
  readonly agent: Generation | undefined;
  readonly target: Member;
}

/**
 * Relays a request between an Agent and a Computer that may be of different generations. Our Computers receive the
 * generation of the Agent and answer as it reads; their answers pass undecoded. Answers of all others are checked, and
 * converted where the two generations differ.
 *
 * A Computer itself says that it is one of a2c. A lie gains nothing: it concerns only the calls to this Computer, which
 * could answer them with any object and run them twice anyway.
 */
export async function bridge(call: BridgedCall): Promise<Answer> {
  const { event, request, agent, target, send } = call;
  if (target.adapts) {
    const payload = agent === target.generation ? request : { ...request, agent_generation: agent ?? '0.1' };
    const answer = await send(event, payload as never);
    if (!isObjectAnswer(answer)) throw noObject(target);
    return answer;
  }
  const isKnown = rulesOf(target.generation).requests.has(event);
  if (!isKnown && target.generation !== undefined) return answerFor(event, request);
  const payload = event === 'client:get_resources' ? await withServerName(call) : request;
  const sent = send(event, payload as never);
  // A Computer that declares no version may be of any: it shows by an empty answer that it does not know the request.
  const { args, bytes } = await (isKnown ? sent : sent.catch((error) => answerForUnknown(error, event, request)));
  if (isLong(args) && (event === 'client:tool_call' || !needsConversion(call))) return { args, bytes };
  const sentAnswer = await decode(args, target);
  // Rust Computers send {"Ok": …}. All Agents read what is in it.
  const answer = unwrapAnswer([sentAnswer]);
  if (!isRecord(answer)) throw noObject(target);
  const converted = await convert(call, answer);
  if (converted === sentAnswer) return { args, bytes };
  // Results are kept for repetitions: encoded, they need the memory that is counted, and are sent as they are.
  const isEncodable = event === 'client:tool_call' && (!(args instanceof RawAnswer) || args.attachments.length === 0);
  return isEncodable ? encoded(converted) : { args: [converted], bytes };
}

function encoded(result: Record<string, unknown>): Answer {
  const bytes = Buffer.from(JSON.stringify([result]));
  return { args: new RawAnswer(bytes, [], false), bytes: bytes.length };
}

function answerForUnknown(error: unknown, event: RelayedEvent, request: ComputerRequest): Answer {
  if (error instanceof SMCPError && error.details.reason === EMPTY_ANSWER) return answerFor(event, request);
  throw error;
}

/** What a Computer answers that does not know the request: nothing to offer. */
function answerFor(event: RelayedEvent, request: ComputerRequest): Answer {
  switch (event) {
    case 'client:get_skills':
      return { args: [{ skills: [], req_id: request.req_id }], bytes: 0 };
    case 'client:get_resources': {
      const details = { mcp_server: (request as GetResourcesReq).mcp_server, capability: 'resources' };
      throw new SMCPError('CapabilityNotSupported', 'this Computer does not list resources', { details });
    }
    case 'client:get_skill':
      throw new SMCPError('MCPServerNotFound', 'this Computer has no skills');
    case 'client:get_blob':
      throw new SMCPError('BlobNotAccessible', 'this Computer has no blobs', { details: { reason: 'invalid_handle' } });
    default:
      throw new SMCPError('BlobWriteFailed', 'this Computer takes no files', { details: { reason: 'forbidden' } });
  }
}

/** Whether the lists of the two generations differ. */
function needsConversion({ event, agent, target }: BridgedCall): boolean {
  const [own, other] = [rulesOf(agent), rulesOf(target.generation)];
  if (event === 'client:get_tools') return own.toolNames === 'exposed' && other.toolNames === 'display';
  const keys = ['configKeys', 'configEntries', 'pickOptions'] as const;
  // The options of inputs changed in a patch of 0.3.
  return event === 'client:get_config' && (agent === '0.3' || keys.some((key) => own[key] !== other[key]));
}

async function convert(call: BridgedCall, answer: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { event, agent, target, request } = call;
  const [own, other] = [rulesOf(agent), rulesOf(target.generation)];
  const isResult = event === 'client:tool_call' && Array.isArray(answer.content);
  const error = isResult ? undefined : readErrorAnswer(answer);
  // The fields beside the code differ between generations with flat errors, too.
  if (error && agent !== target.generation) return errorAck(event, error, agent)[0] as unknown as typeof answer;
  const redacted = withRedactedDetails(isResult ? withoutProof(answer) : answer);
  if (error) return redacted;
  switch (event) {
    case 'client:get_tools':
      return needsConversion(call) ? withBundleIds(answer, target) : answer;
    case 'client:get_config':
      return needsConversion(call) ? { ...configOf(answer, agent, target) } : answer;
    case 'client:tool_call': {
      const acceptsBlobs = (request as ToolCallReq).accept_blobs ?? own.blobs;
      return acceptsBlobs || !other.blobs ? redacted : inlineBlobs(redacted, call);
    }
    default:
      return answer;
  }
}

/**
 * A Computer of another maker passes on all that a tool returns. What the fields of a result say about its execution is
 * no proof: an error beside the content may have been written by a tool that has run.
 */
function withoutProof(result: Record<string, unknown>): Record<string, unknown> {
  const { error, meta, _meta } = result;
  if (![error, meta, _meta].some(isRecord)) return result;
  return {
    ...result,
    ...(isRecord(error) && { error: ofUnknownExecution(error) }),
    ...(isRecord(meta) && { meta: withoutProofInMeta(meta) }),
    ...(isRecord(_meta) && { _meta: withoutProofInMeta(_meta) }),
  };
}

function withoutProofInMeta(meta: Record<string, unknown>): Record<string, unknown> {
  const { [META_KEYS.execution]: _claimed, ...rest } = meta;
  const error = rest[META_KEYS.error];
  return isRecord(error) ? { ...rest, [META_KEYS.error]: ofUnknownExecution(error) } : rest;
}

function ofUnknownExecution(error: Record<string, unknown>): Record<string, unknown> {
  const details = isRecord(error.details) ? error.details : {};
  return { ...error, details: { ...details, [META_KEYS.execution]: 'unknown' satisfies Execution } };
}

/** Removes credentials from the details of an error. Our Computers do this themselves. */
function withRedactedDetails(answer: Record<string, unknown>): Record<string, unknown> {
  const { details, error } = answer;
  const nested = isRecord(error) ? error.details : undefined;
  if (!isRecord(details) && !isRecord(nested)) return answer;
  return {
    ...answer,
    ...(isRecord(details) && { details: redactDetails(details) }),
    ...(isRecord(nested) && { error: { ...(error as object), details: redactDetails(nested) } }),
  };
}

/** Before 0.3 an MCP server is addressed by its name, later by its bundle id. The Computer's configuration has both. */
async function withServerName({ request, agent, target, send }: BridgedCall): Promise<ComputerRequest> {
  const asked = (request as GetResourcesReq).mcp_server;
  if (rulesOf(agent).configKeys === rulesOf(target.generation).configKeys) return request;
  const { agent: name, req_id, computer } = request;
  const { args } = await send('client:get_config', { agent: name, req_id: `${req_id}:config`, computer });
  for (const [id, display] of await serverNames(args, target)) {
    if (rulesOf(agent).configKeys === 'bundle_id' && id === asked) return { ...request, mcp_server: display } as never;
    if (rulesOf(agent).configKeys === 'name' && display === asked) return { ...request, mcp_server: id } as never;
  }
  return request;
}

/** Whether the first argument is an object, without decoding it. */
function isObjectAnswer({ args }: Answer): boolean {
  return args instanceof RawAnswer ? args.startsWithObject : isRecord(args[0]);
}

function noObject({ name }: Member): SMCPError {
  const message = `the answer of Computer "${name}" is not an object`;
  return new SMCPError('InternalError', message, { details: { computer: name } });
}
