/** Explains failures to the user, by their codes and in the user's language. */
import { type CallToolResult, type FailureReason, readCallFailure, SMCPError } from '@a2c/protocol';
import { languageOf, type MessageKey, type Say, translator } from './computer/shell/language.js';
import { a2c } from './pasteable-command.js';

/** Adds how to start a server to the error of a connection that was refused. Other errors stay as they are. */
export function withRemedy(error: unknown): unknown {
  if (!(error instanceof SMCPError) || error.details.code !== 'ECONNREFUSED') return error;
  const remedy = `nothing listens there; start a server with "${a2c('up')}" or "${a2c('server')}"`;
  return withMessage(error, `${error.message}; ${remedy}`);
}

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
  consent_denied: 'remedyConfirmAllow',
  consent_timeout: 'remedyConfirmAllow',
  consent_unavailable: 'remedyConfirmAllow',
  consent_failed: 'remedyConfirmAllow',
  timeout: 'remedyTimeout',
};

/** Explains why a tool call failed; undefined when its own text is the only explanation. */
export function explainFailure(failed: CallToolResult | SMCPError, say: Say): string | undefined {
  const failure = readCallFailure(failed);
  if (!failure || (failure.reason === 'execution_failed' && failure.message === undefined)) return undefined;
  return say(EXPLANATIONS[failure.reason], { reason: failure.message ?? '' });
}

/** As `explainFailure`, in the language of the locale and with what the caller of a tool can do. */
export function explainWithRemedy(failed: CallToolResult | SMCPError): string | undefined {
  const say = translator(languageOf(process.env));
  const explanation = explainFailure(failed, say);
  const remedy = explanation && REMEDIES[readCallFailure(failed)?.reason ?? 'execution_failed'];
  return remedy ? say('withRemedy', { explanation, remedy: say(remedy) }) : explanation;
}
