// A service worker sees and changes all requests of an origin. This page has none. One that exists was left by another
// program that had the port, and must not see anything of value.

/** Whether another program could read the requests of this page. Removes its service workers, for the next page. */
export async function isIntercepted(): Promise<boolean> {
  const { serviceWorker: workers } = navigator;
  // Undefined where browsers forbid them.
  if (workers === undefined) return false;
  const registered = await workers.getRegistrations().catch(() => []);
  for (const each of registered) await each.unregister().catch(() => false);
  return registered.length > 0 || isControlled();
}

/** Whether a service worker receives the requests of this page now. */
export function isControlled(): boolean {
  return (navigator.serviceWorker?.controller ?? null) !== null;
}
