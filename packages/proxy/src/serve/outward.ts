import type { CallToolResult } from '../toolbox.js';

/** Keys by which the two ends of one connection speak about that connection; another connection has its own. */
const RESERVED = 'io.modelcontextprotocol/';

/** A result without what only concerned the connection it came over. */
export function outward(result: CallToolResult): CallToolResult {
  if (!result._meta) return result;
  const { _meta, ...rest } = result;
  const kept = Object.entries(_meta).filter(([key]) => !key.startsWith(RESERVED));
  return kept.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(kept) };
}
