import { execFileSync } from 'node:child_process';
import { verifies } from '@a2c/requirements';
import { run, VrlInputError } from '@a2c/vrl';
import { afterEach, describe, expect } from 'vitest';

const ENTRY = new URL('../dist/index.js', import.meta.url).href;
const originalTz = process.env.TZ;

afterEach(() => {
  if (originalTz === undefined) delete process.env.TZ;
  else process.env.TZ = originalTz;
});

describe('the time zone', () => {
  const midnight = `format_timestamp!(parse_timestamp!("2024-07-01 00:00:00", "%F %T"), "%+")`;

  verifies('VRL-ZONE-01', 'applies to times without an offset', () => {
    expect(run(midnight, {}, { timezone: 'UTC' }).result).toBe('2024-07-01T00:00:00+00:00');
    expect(run(midnight, {}, { timezone: 'Europe/Berlin' }).result).toBe('2024-06-30T22:00:00+00:00');
    expect(run(midnight, {}, { timezone: 'Asia/Kathmandu' }).result).toBe('2024-06-30T18:15:00+00:00');
  });

  verifies('VRL-ZONE-01', 'has a name that a script can read', () => {
    expect(run('get_timezone_name!()', {}, { timezone: 'America/New_York' }).result).toBe('America/New_York');
  });

  verifies('VRL-ZONE-02', 'is that of the host by default, also after a change', () => {
    for (const zone of ['Asia/Tokyo', 'Europe/Lisbon']) {
      process.env.TZ = zone;
      for (const timezone of [undefined, null, '', 'local']) {
        const options = timezone === undefined ? {} : { timezone };
        expect(run('get_timezone_name!()', {}, options).result).toBe(zone);
      }
    }
  });

  verifies('VRL-ZONE-02', 'is UTC when the host has none', () => {
    const script = `import { run } from '${ENTRY}'; console.log(run('get_timezone_name!()', {}).result);`;
    const env = { ...process.env, TZ: 'Nowhere/Land' };
    const args = ['--input-type=module', '-e', script];
    expect(execFileSync(process.execPath, args, { env, encoding: 'utf8' })).toBe('UTC\n');
  });

  verifies('VRL-ZONE-03', 'must exist', () => {
    expect(() => run('.', {}, { timezone: 'Mars/Olympus' })).toThrow(VrlInputError);
    expect(() => run('.', {}, { timezone: 'Mars/Olympus' })).toThrow(
      'unknown time zone "Mars/Olympus"; use an IANA name such as "Europe/Berlin"',
    );
    expect(() => run('.', {}, { timezone: 1 as unknown as string })).toThrow(VrlInputError);
  });
});
