import { type CallToolResult, type Generation, isRecord, META_KEYS, rulesOf } from '@a2c/protocol';

/** Who reads a result. */
export interface Reader {
  readonly generation: Generation;
  /** Whether the Server adapts nothing and drops what it does not know: one of another maker. */
  readonly isForeignServer: boolean;
}

/**
 * The result of a call in the form that its reader expects. Peers before 0.2 read a nested error beside the content.
 * For later ones the error is flat, and also in the metadata, where our Agents read it. A Server of another maker would
 * replace the whole result by a flat error, so that it gets the metadata only.
 */
export function resultFor(result: CallToolResult, { generation, isForeignServer }: Reader): CallToolResult {
  if (rulesOf(generation).errors === 'nested' || result.code === undefined) return result;
  const { code, message, details, error, req_id: _id, ...rest } = result;
  const body = isRecord(error) ? error : undefined;
  const described = { ...rest, _meta: { ...rest._meta, ...(body && { [META_KEYS.error]: body }) } };
  if (isForeignServer) return described;
  const { a2c_code: fineCode, ...facts } = isRecord(details) ? details : {};
  return { ...described, code: fineCode ?? code, message, details: facts };
}
