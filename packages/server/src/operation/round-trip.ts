import type { SMCPSocket } from '../rooms/connection.js';

/** The part of an Engine.IO connection that is used here. `sendPacket` is private in its types. */
interface Heart {
  sendPacket(type: 'ping'): void;
  on(event: 'packet' | 'packetCreate', listener: (packet: { readonly type: string }) => void): void;
}

/** The first times are measured at once, the others with the heartbeats. The lowest of the last ones counts. */
const AT_ONCE = 3;
const KEPT = 5;

/**
 * Measures the time of a message to a client and back, with the heartbeat of Engine.IO. The clocks of both machines may
 * differ, because only the clock of the Server is read. Every client of every generation answers heartbeats.
 */
export function measureRoundTrip({ conn }: SMCPSocket, onMeasured: (ms: number) => void): void {
  const heart = conn as unknown as Heart;
  const times: number[] = [];
  let sentAt: number | undefined;
  heart.on('packetCreate', ({ type }) => {
    if (type === 'ping') sentAt = performance.now();
  });
  heart.on('packet', ({ type }) => {
    if (type !== 'pong' || sentAt === undefined) return;
    times.push(performance.now() - sentAt);
    if (times.length > KEPT) times.shift();
    sentAt = undefined;
    // A process that was busy answers late, so the lowest time is nearest to that of the connection.
    onMeasured(Math.min(...times));
    if (times.length < AT_ONCE) heart.sendPacket('ping');
  });
  heart.sendPacket('ping');
}
