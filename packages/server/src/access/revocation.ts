const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls a listener when a credential is withdrawn. Thousands of connections may share a credential: a listener of an
 * `AbortSignal` takes longer to add and to remove the more there are, one of a set does not.
 *
 * @returns a function that removes the listener
 */
export function onRevoked(revoked: AbortSignal, listener: () => void): () => void {
  const known = listeners.get(revoked);
  const all = known ?? new Set();
  if (!known) {
    listeners.set(revoked, all);
    revoked.addEventListener('abort', () => all.forEach((call) => void call()), { once: true });
  }
  all.add(listener);
  return () => void all.delete(listener);
}
