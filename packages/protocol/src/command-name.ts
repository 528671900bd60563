/** How the user starts a2c. */
let name = 'a2c';

/**
 * Sets how commands in messages begin. The command line calls it: in a clone, where `a2c` is not on the PATH, with
 * `npx a2c`.
 */
export function setCommandName(value: string): void {
  name = value;
}

/** A command line for a message, as the user can type it: `a2c login notes`. */
export function a2cCommand(command: string): string {
  return `${name} ${command}`;
}
