import { HubError, type HubErrorKind } from '@a2c/hub';
import { ToolboxError, type ToolboxErrorCode } from '../toolbox-error.js';

/** What the kinds of the hub mean to a model; all others are told in the words of the hub or the server. */
const CODES: Partial<Record<HubErrorKind, ToolboxErrorCode>> = {
  'unknown-server': 'server-not-found',
  'unknown-tool': 'tool-not-found',
  'invalid-arguments': 'invalid-arguments',
  'forbidden-tool': 'refused',
  'disabled-server': 'unavailable',
  'not-connected': 'unavailable',
  unauthorized: 'unavailable',
  cancelled: 'cancelled',
};

export function asToolboxError(error: unknown): unknown {
  if (!(error instanceof HubError)) return error;
  const { kind, message, problems, code, data } = error;
  return new ToolboxError(CODES[kind] ?? 'failed', message, {
    problems,
    ...(kind === 'upstream' && code !== undefined && { rpc: { code, data } }),
  });
}
