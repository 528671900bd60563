/** An ISO 8601 duration in days, hours, minutes and seconds. Years and months are excluded: their length varies. */
export const DURATION_TEXT =
  /^P(?=\d|T\d)(?:(\d+(?:\.\d+)?)D)?(?:T(?=\d)(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** Converts a number of seconds, or a text that matches `DURATION_TEXT`, to seconds. */
export function toSeconds(duration: number | string): number {
  if (typeof duration === 'number') return duration;
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = DURATION_TEXT.exec(duration) ?? [];
  return Number(days) * 86_400 + Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
}

export function toIsoDuration(seconds: number): string {
  return `PT${seconds}S`;
}
