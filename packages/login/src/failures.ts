import { IssuerMismatchError, OAuthError } from '@modelcontextprotocol/client';
import { LoginError } from './errors.js';
import { withoutSecrets } from './without-secrets.js';

const MAX_DETAIL = 200;

/** Converts the error of a request for `what` to a `LoginError`, without the texts in `secrets`. */
export function explain(
  error: unknown,
  { server, what, secrets = [] }: { server: string; what: string; secrets?: readonly (string | undefined)[] },
): LoginError {
  if (error instanceof LoginError) return error;
  // Secrets first: the end that is cut off may be a part of one.
  const detail = shortened(withoutSecrets(detailOf(error), secrets));
  const kind = error instanceof IssuerMismatchError ? 'refused' : 'failed';
  return new LoginError(kind, server, `${what} failed: ${detail}`, { cause: nameOf(error) });
}

function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Not the answer itself: it may be a page, and it may repeat what was sent.
  if (error instanceof OAuthError) {
    const isStandard = !error.message.includes('Raw body:');
    return isStandard ? `${error.code}: ${error.message}` : (error.message.split(': ')[0] ?? error.code);
  }
  if (error.name === 'ZodError') return 'the answer is not valid';
  return error.message;
}

/** The cause without its message, which may contain secrets. */
function nameOf(error: unknown): string {
  return error instanceof OAuthError ? error.code : error instanceof Error ? error.name : typeof error;
}

/** The beginning of a text of the authorization server. */
export function shortened(text: string): string {
  return text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL)}…` : text;
}

/** The error code of an OAuth error response; undefined for any other error. */
export function oauthCode(error: unknown): string | undefined {
  return error instanceof OAuthError ? error.code : undefined;
}
