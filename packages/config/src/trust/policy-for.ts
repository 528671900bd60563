import type { ConfigSource } from '../files/load-config.js';
import { type TrustPolicy, UNTRUSTED } from './policy.js';
import { TrustStore } from './trust-store.js';

/** The policy for one source: what this call allows, and trust that was granted to exactly these files before. */
export async function policyFor(
  source: ConfigSource,
  allowed: Partial<TrustPolicy>,
  store = new TrustStore(),
): Promise<TrustPolicy> {
  return { ...UNTRUSTED, ...allowed, trusted: allowed.trusted === true || (await store.isTrusted(source)) };
}
