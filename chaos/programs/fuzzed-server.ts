// A signalling server without limits of rates, so that every message of the fuzzer is handled: KEYS AUDIT
import { AuditFile, authFile, listen } from '@a2c/server';

const [, , keys = '', audit = ''] = process.argv;
const HUGE = 1e9;

const { url, close } = await listen({
  port: 0,
  authenticate: await authFile({ path: keys }),
  audit: new AuditFile({ path: audit }),
  limits: {
    eventsPerSecond: HUGE,
    callsPerSecond: HUGE,
    officeCallsPerSecond: HUGE,
    refusalsBeforeDisconnect: HUGE,
    connectionsPerAddress: HUGE,
    handshakesPerSecond: HUGE,
    attachmentsTimeoutMs: 1_000,
    queryTimeoutMs: 500,
  },
});
process.once('SIGTERM', () => void close().then(() => process.exit(0)));
console.log(`ready ${url}`);
