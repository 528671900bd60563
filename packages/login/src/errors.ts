/** Why there is no token. Programs match by `kind`; the message is for people. */
export type LoginErrorKind =
  /** There is no login for the server. */
  | 'login-required'
  /** The login has expired or was revoked. */
  | 'login-expired'
  /** The login lacks scopes; see `scope`. */
  | 'scope-required'
  /** The server or its authorization server cannot do what is asked: no OAuth, no device flow, no registration. */
  | 'not-offered'
  /** An answer was refused: another issuer, another resource, a wrong state, an address that is not allowed. */
  | 'refused'
  /** The authorization server rejected the request, or could not be reached. */
  | 'failed';

/** Messages quote texts of servers. */
const MAX_LENGTH = 1_000;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A login or a token request failed. The message is one line, and contains no token, code or secret. */
export class LoginError extends Error {
  override readonly name = 'LoginError';
  readonly kind: LoginErrorKind;
  /** The name of the MCP server. */
  readonly server: string;
  /** The scopes that the server requires, if `kind` is `scope-required`. */
  readonly scope: string | undefined;

  constructor(kind: LoginErrorKind, server: string, message: string, options: ErrorOptions & { scope?: string } = {}) {
    super(onOneLine(message), options);
    this.kind = kind;
    this.server = server;
    this.scope = options.scope;
  }

  /** True if a person has to log in: the remedy is `a2c login NAME`. */
  get needsPerson(): boolean {
    return this.kind === 'login-required' || this.kind === 'login-expired' || this.kind === 'scope-required';
  }
}

/** Line breaks and other characters that a person does not see are written as `\u000a`: they could forge a message. */
function onOneLine(message: string): string {
  const kept = message.length > MAX_LENGTH ? `${message.slice(0, MAX_LENGTH)}…` : message;
  return kept.replaceAll(HIDDEN, (character) =>
    Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
