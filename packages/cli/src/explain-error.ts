/** Explains failures to the user, by their codes and in the user's language. */
import { type CallToolResult, type FailureReason, readCallFailure, SMCPError } from '@a2c/protocol';
import { languageOf, type MessageKey, type Say, translator } from './computer/shell/language.js';
import { translateMessage } from './computer/shell/translations.js';
import { a2c } from './pasteable-command.js';

/** Adds the remedy to the error of a failed connection or join. Other errors stay as they are. */
export function withRemedy(error: unknown): unknown {
  if (!(error instanceof SMCPError)) return error;
  if (error.kind === 'RoomFull' && error.details.role === 'agent') {
    const several = `start the server with "${a2c('server')} --many-agents ${String(error.details.office_id)}"`;
    return withMessage(error, `${error.message}; stop that one, use another --office, or ${several}`);
  }
  if (error.kind === 'Unauthorized')
    return withMessage(error, `${error.message}; set A2C_API_KEY to a key of the server, or use --api-key`);
  if (error.kind !== 'Unavailable') return error;
  const remedy = REMEDY_OF_CODE.get(String(error.details.code));
  if (!remedy) return error;
  const [reached = error.message] = /^cannot reach \S+(?=:)/.exec(error.message) ?? [];
  // The text of OpenSSL does not help; other reasons are kept.
  return withMessage(
    error,
    error.details.code === 'EPROTO' ? `${reached}: ${remedy()}` : `${error.message}; ${remedy()}`,
  );
}

const unknownAuthority = () => 'the authority of its certificate is unknown; give the certificate with --tls-ca FILE';
const credentials = () =>
  'a server or HTTP proxy there requires credentials; give the key with --api-key, or those of the proxy with --headers';
const checkNetwork = () => 'check the host name and your network connection';

/** What a user can do, by the code of the system error or the HTTP status. */
const REMEDY_OF_CODE: ReadonlyMap<string, () => string> = new Map([
  ['ECONNREFUSED', () => `nothing listens there; start a server with "${a2c('up')}" or "${a2c('server')}"`],
  ['EPROTO', () => 'the server there does not use TLS; use http:// instead of https://'],
  ['ECONNRESET', () => 'the server there closed the connection; check the port, and use https:// if it uses TLS'],
  ['SELF_SIGNED_CERT_IN_CHAIN', unknownAuthority],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', unknownAuthority],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', unknownAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT', unknownAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', unknownAuthority],
  ['CERT_HAS_EXPIRED', () => 'the operator of the server must renew its certificate'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', () => 'use a host name that is in the certificate'],
  ['HTTP 401', credentials],
  ['HTTP 403', credentials],
  ['HTTP 404', () => 'there is no signalling server there; check the URL'],
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
  consent_unavailable: 'callConsentUnavailable',
  consent_failed: 'callConsentFailed',
  not_booted: 'callNotBooted',
  timeout: 'callTimedOut',
  execution_failed: 'callFailed',
};

const REMEDIES: Readonly<Partial<Record<FailureReason, MessageKey>>> = {
  consent_timeout: 'remedyTimeout',
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
