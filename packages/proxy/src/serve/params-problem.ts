import { isRecord } from '@a2c/protocol';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** The SDK reports invalid parameters with all issues as JSON. Returns a readable error, or undefined for others. */
export function paramsProblem(error: unknown, method: string): ProtocolError | undefined {
  if (!(error instanceof Error)) return undefined;
  const [issue] = issuesIn(error.message);
  if (!issue) return undefined;
  const path = Array.isArray(issue.path) ? issue.path.map(String).join('.') : '';
  const what = `${path === '' ? 'the request' : path}: ${String(issue.message)}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid params of ${method}: ${what}`);
}

function issuesIn(message: string): readonly Readonly<Record<string, unknown>>[] {
  const start = message.indexOf('[');
  if (start === -1 || !message.endsWith(']')) return [];
  try {
    const parsed: unknown = JSON.parse(message.slice(start));
    return Array.isArray(parsed) ? parsed.filter((each) => isRecord(each) && 'path' in each && 'message' in each) : [];
  } catch {
    return []; // another error that ends with a bracket
  }
}
