import { SMCPError } from '@a2c/agent';
import { type ArgumentProblem, ToolboxError, type ToolboxErrorCode } from '../toolbox-error.js';

export interface OfficeCall {
  readonly computer: string;
  readonly tool: string;
  /** How long the Computer had, in seconds. */
  readonly seconds: number;
}

/** What an answer of the office means to a model. */
export function asToolboxError(error: unknown, call: OfficeCall): unknown {
  if (!(error instanceof SMCPError)) return error;
  return new ToolboxError(codeOf(error), explained(error, call), { problems: problemsOf(error) });
}

function codeOf({ kind, code, details }: SMCPError): ToolboxErrorCode {
  if (kind === 'ToolNotFound') return 'tool-not-found';
  if (kind === 'RoomFull' || kind === 'NotInRoom' || code === 503) return 'unavailable';
  // Not the tool is missing but the Computer: it never was there, or it left during the call.
  if (kind === 'NotFound' && details.computer !== undefined) return 'unavailable';
  if (code === 400 && Array.isArray(details.problems)) return 'invalid-arguments';
  return code === 401 || code === 403 ? 'refused' : 'failed';
}

function explained({ code, message, details }: SMCPError, { computer, tool, seconds }: OfficeCall): string {
  switch (code) {
    case 401:
    case 403:
      return `"${tool}" of Computer "${computer}" was refused: ${message}`;
    case 408:
      return `"${tool}" of Computer "${computer}" did not end within ${seconds} s and was told to stop: ${message}`;
    case 429:
      return typeof details.retry_after === 'number'
        ? `${message} (after ${Math.ceil(details.retry_after)} s)`
        : message;
    default:
      return message;
  }
}

function problemsOf({ details }: SMCPError): readonly ArgumentProblem[] {
  if (!Array.isArray(details.problems)) return [];
  return details.problems.map((problem) => ({ path: String(problem?.path ?? ''), message: String(problem?.message) }));
}
