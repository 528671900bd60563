/** Milliseconds of the monotonic clock, which all processes of this machine share and no clock jump changes. */
export function nowMs(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}
