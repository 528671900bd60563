import type { Connection } from '../rooms/connection.js';

/** A timer holds at most 24 days; a credential that lives longer is looked at again then. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Ends the connection when its credential does. */
export function endWhenExpired({ identity: { expires }, socket }: Connection, onExpired: () => void): void {
  if (!expires) return;
  let timer: NodeJS.Timeout;
  const check = () => {
    const left = expires.getTime() - Date.now();
    if (left > 0) {
      timer = setTimeout(check, Math.min(left, MAX_TIMER_MS));
      return;
    }
    onExpired();
    socket.disconnect(true);
  };
  check();
  socket.on('disconnect', () => clearTimeout(timer));
}
