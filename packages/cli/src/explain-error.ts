/** Explains failures to the user, by their codes and in the user's language. */
import { type CallToolResult, type FailureReason, readCallFailure, SMCPError } from '@a2c/protocol';
import { languageOf, type MessageKey, type Say, translator } from './computer/shell/language.js';
import { translateMessage } from './computer/shell/translations.js';
import { a2c } from './pasteable-command.js';

/** Adds the remedy to the error of a failed connection. Other errors stay as they are. */
export function withRemedy(error: SMCPError): SMCPError {
  if (error.kind === 'Unauthorized')
    return withMessage(error, `${error.message}; set A2C_API_KEY to a key of the server, or use --api-key`);
  if (error.kind !== 'Unavailable') return error;
  const [, reached = '', reason = ''] = /^(cannot reach \S+: )(.*)$/s.exec(error.message) ?? [];
  const explained = explainConnection(String(error.details.code), reason);
  if (reached === '' || explained.remedy === undefined) return error;
  return withMessage(error, `${reached}${explained.reason}; ${explained.remedy}`);
}

/** Adds the remedy to the error of a join that was refused because another Agent is in the office. */
export function withSeatRemedy(error: unknown): unknown {
  if (!(error instanceof SMCPError && error.kind === 'RoomFull' && error.details.role === 'agent')) return error;
  const several = `start the server with "${a2c('server')} --many-agents ${String(error.details.office_id)}"`;
  return withMessage(error, `${error.message}; stop that one, use another --office, or ${several}`);
}

/** Why a connection to a signalling server failed, and what the user can do about it. */
export interface ConnectionFailure {
  readonly reason: string;
  readonly remedy?: string;
}

/**
 * Explains the error of a connection.
 *
 * @param code the code of the system error, or such as `HTTP 401`
 */
export function explainConnection(code: string | undefined, message: string): ConnectionFailure {
  const known = FAILURES.get(code ?? '')?.();
  if (!known) return { reason: message };
  const { reason, remedy } = known;
  // The text of OpenSSL does not help; other messages are kept.
  const reasons = known === NO_TLS ? [reason] : [message, reason];
  return { reason: reasons.filter(Boolean).join('; '), remedy };
}

interface KnownFailure {
  readonly reason?: string;
  readonly remedy: string;
}

const NO_TLS: KnownFailure = {
  reason: 'the server there does not use TLS',
  remedy: 'use http:// instead of https://',
};
const noTls = () => NO_TLS;
const unknownAuthority = () => ({
  reason: 'the authority of its certificate is unknown',
  remedy: 'give the certificate with --tls-ca FILE',
});
const credentials = () => ({
  reason: 'a server or HTTP proxy there requires credentials',
  remedy: 'give the key with --api-key, or those of the proxy with --headers',
});
const checkNetwork = () => ({ remedy: 'check the host name and your network connection' });

/** By the code of the system error or the HTTP status. */
const FAILURES: ReadonlyMap<string, () => KnownFailure> = new Map([
  [
    'ECONNREFUSED',
    () => ({ reason: 'nothing listens there', remedy: `start a server with "${a2c('up')}" or "${a2c('server')}"` }),
  ],
  ['EPROTO', noTls],
  ['ERR_SSL_WRONG_VERSION_NUMBER', noTls],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', noTls],
  [
    'ECONNRESET',
    () => ({
      reason: 'the server there closed the connection',
      remedy: 'check the port, and use https:// if it uses TLS',
    }),
  ],
  ['SELF_SIGNED_CERT_IN_CHAIN', unknownAuthority],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', unknownAuthority],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', unknownAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT', unknownAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', unknownAuthority],
  ['CERT_HAS_EXPIRED', () => ({ remedy: 'the operator of the server must renew its certificate' })],
  ['ERR_TLS_CERT_ALTNAME_INVALID', () => ({ remedy: 'use a host name that is in the certificate' })],
  ['HTTP 401', credentials],
  ['HTTP 403', credentials],
  ['HTTP 404', () => ({ reason: 'there is no signalling server there', remedy: 'check the URL' })],
  ['ENOTFOUND', checkNetwork],
  ['EAI_AGAIN', checkNetwork],
  ['ENETUNREACH', checkNetwork],
  ['EHOSTUNREACH', checkNetwork],
]);

/** The same error with another message. */
export function withMessage(error: SMCPError, message: string): SMCPError {
  return new SMCPError(error.kind, message, { details: error.details, cause: error });
}

const EXPLANATIONS: Readonly<Record<FailureReason, MessageKey>> = {
  consent_denied: 'callDenied',
  consent_timeout: 'callConsentTimeout',
  consent_disabled: 'callConsentDisabled',
  consent_unavailable: 'callConsentUnavailable',
  consent_failed: 'callConsentFailed',
  not_booted: 'callNotBooted',
  timeout: 'callTimedOut',
  execution_failed: 'callFailed',
};

const REMEDIES: Readonly<Partial<Record<FailureReason, MessageKey>>> = {
  consent_timeout: 'remedyTimeout',
  consent_disabled: 'remedyConfirmAllow',
  consent_unavailable: 'remedyConfirmAllow',
  consent_failed: 'remedyConfirmAllow',
  timeout: 'remedyTimeout',
};

/** Explains why a tool call failed; undefined when its own text is the only explanation. */
export function explainFailure(
  failed: CallToolResult | SMCPError,
  { say, translate }: { readonly say: Say; readonly translate: (message: string) => string },
): string | undefined {
  const failure = readCallFailure(failed);
  if (!failure || (failure.reason === 'execution_failed' && failure.message === undefined)) return undefined;
  return say(EXPLANATIONS[failure.reason], { reason: translate(failure.message ?? '') });
}

/** As `explainFailure`, in the language of the locale and with what the caller of a tool can do. */
export function explainWithRemedy(failed: CallToolResult | SMCPError): string | undefined {
  const language = languageOf(process.env);
  const say = translator(language);
  const explanation = explainFailure(failed, { say, translate: (message) => translateMessage(message, language) });
  const remedy = explanation && REMEDIES[readCallFailure(failed)?.reason ?? 'execution_failed'];
  return remedy ? say('withRemedy', { explanation, remedy: say(remedy) }) : explanation;
}
