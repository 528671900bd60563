/** The longest part of a name that a warning shows. */
const MAX_SHOWN = 100;

/** The name of a tool for a warning: several of them together stay readable. */
export function shownName(name: string): string {
  return name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name;
}
