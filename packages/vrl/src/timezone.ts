import { VrlInputError } from './errors.js';

/** The name that V8 returns when the time zone of the system has none. */
const UNKNOWN_HOST_ZONE = 'Etc/Unknown';

/** Absent, empty and `local` mean the time zone of the host, or UTC when the host has none. */
export function zoneName(timezone: string | null | undefined): string {
  if (timezone === undefined || timezone === null || timezone === '' || timezone === 'local') return hostZone();
  if (typeof timezone !== 'string') {
    throw new VrlInputError(`the time zone must be an IANA name such as "Europe/Berlin", but it is ${typeof timezone}`);
  }
  return timezone;
}

let known: { readonly TZ: string | undefined; readonly zone: string } | undefined;

/** Cached per value of TZ: asking V8 takes longer than running a small script. */
function hostZone(): string {
  const { TZ } = process.env;
  if (known === undefined || known.TZ !== TZ) {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    known = { TZ, zone: timeZone === undefined || timeZone === UNKNOWN_HOST_ZONE ? 'UTC' : timeZone };
  }
  return known.zone;
}
