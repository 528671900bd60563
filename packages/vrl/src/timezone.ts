import { VrlInputError } from './errors.js';

/** What V8 answers when the system's zone has no name. */
const UNKNOWN_HOST_ZONE = 'Etc/Unknown';

/** Nothing, empty and `local` all mean the zone of this host, as in VRL's other bindings; UTC when the host has none. */
export function zoneName(timezone: string | null | undefined): string {
  if (timezone === undefined || timezone === null || timezone === '' || timezone === 'local') return hostZone();
  if (typeof timezone !== 'string') {
    throw new VrlInputError(`the time zone must be an IANA name such as "Europe/Berlin", but it is ${typeof timezone}`);
  }
  return timezone;
}

let known: { readonly TZ: string | undefined; readonly zone: string } | undefined;

/** Asking V8 takes longer than running a small script, and its answer changes only with the variable TZ. */
function hostZone(): string {
  const { TZ } = process.env;
  if (known === undefined || known.TZ !== TZ) {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    known = { TZ, zone: timeZone === undefined || timeZone === UNKNOWN_HOST_ZONE ? 'UTC' : timeZone };
  }
  return known.zone;
}
