import type { ReceivedAnswer } from '@a2c/link';
import {
  type CallToolResult,
  type Execution,
  executionOf,
  isRecord,
  jsonSize,
  META_KEYS,
  parseAnswer,
  readErrorAnswer,
  SMCPError,
  unwrapAnswer,
} from '@a2c/protocol';

/**
 * The size of refusals of a Server. Servers of a2c remove what a result claims, except from results over 1 MiB, which
 * they do not decode.
 */
const MAX_REFUSAL = 8 * 1_024;

/**
 * Reads the result of a call to a Computer of another maker, which passes on all that a tool returns. Whatever a result
 * says, it is no proof that the tool has not run. Only the Server knows that, whose refusals are short.
 *
 * @throws SMCPError the error in the answer.
 */
export function readUnprovenResult(received: ReceivedAnswer): CallToolResult {
  const { ack, generation } = received;
  try {
    return withoutClaim(parseAnswer('client:tool_call', ack, generation));
  } catch (thrown) {
    if (!(thrown instanceof SMCPError) || executionOf(thrown) !== 'not-run' || isRefusal(received)) throw thrown;
    const details = { ...thrown.details, [META_KEYS.execution]: 'unknown' satisfies Execution };
    throw new SMCPError(thrown.kind, thrown.message, { details, cause: thrown });
  }
}

/**
 * A failed call that claims not to have run may have run, and so may one of a Computer of a2c that the Agent does not
 * know yet, for example after it has reconnected.
 */
function withoutClaim(result: CallToolResult): CallToolResult {
  const { [META_KEYS.execution]: claimed, ...meta } = result._meta ?? {};
  if (claimed === undefined) return result;
  const mayHaveRun = result.isError === true && claimed !== 'ran';
  return { ...result, _meta: { ...meta, ...(mayHaveRun && { [META_KEYS.execution]: 'unknown' }) } };
}

/**
 * Whether the answer is an error without a result, or one in a result that a Server of a2c has written or checked. A
 * result that cannot be read is neither.
 */
function isRefusal({ ack, serverVersion }: ReceivedAnswer): boolean {
  const answer = unwrapAnswer(ack);
  if (readErrorAnswer(answer) === undefined) return false;
  if (!isRecord(answer) || !Array.isArray(answer.content)) return true;
  return serverVersion !== undefined && jsonSize(answer, MAX_REFUSAL) <= MAX_REFUSAL;
}
