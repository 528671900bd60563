/** What fits into the system's address of a socket, its terminating zero not counted. */
const MAX_PATH_BYTES = process.platform === 'linux' ? 107 : 103;

/** Node cuts a longer path off and dials whatever is there. */
export function checkSocketPath(path: string): void {
  if (process.platform === 'win32' || Buffer.byteLength(path) <= MAX_PATH_BYTES) return;
  throw new Error(
    `the path of the socket ${path} is longer than ${MAX_PATH_BYTES} bytes: move the socket or link to its folder`,
  );
}
