declare module 'cross-spawn' {
  import type { spawn } from 'node:child_process';

  const crossSpawn: typeof spawn & {
    /** The command that is started in place of the given one. */
    readonly _parse: (
      command: string,
      args: readonly string[],
      options?: object,
    ) => { readonly command: string; readonly args: readonly string[] };
  };
  export default crossSpawn;
}
