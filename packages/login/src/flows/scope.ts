import { computeScopeUnion } from '@modelcontextprotocol/client';
import type { Challenge } from '../challenge.js';
import type { Discovery } from '../discovery.js';
import { isUnattended, type LoginTarget } from '../target.js';
import type { StoredLogin } from '../vault/stored-login.js';

/**
 * The scopes to request: those of the challenge, else the configured ones, else those that the server lists. A step-up
 * also keeps all scopes of the present login. `offline_access` is added where it is offered: without it, some
 * authorization servers issue no refresh token.
 */
export function scopeFor(
  { settings }: LoginTarget,
  { resource_metadata, metadata }: Discovery,
  challenge: Challenge,
  present: StoredLogin | undefined,
): string | undefined {
  const listed = resource_metadata?.scopes_supported?.join(' ');
  const wanted = computeScopeUnion(settings.scopes?.join(' '), challenge.scope) ?? listed;
  const isStepUp = challenge.is_required !== true && challenge.scope !== undefined;
  const scope = isStepUp ? computeScopeUnion(present?.requested_scope ?? present?.tokens?.scope, wanted) : wanted;
  const isOffered = metadata?.scopes_supported?.includes('offline_access') === true && !isUnattended(settings);
  if (!scope || !isOffered) return scope || undefined;
  return computeScopeUnion(scope, 'offline_access');
}
