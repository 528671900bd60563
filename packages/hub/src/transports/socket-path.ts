/** The longest socket path of the system, without the terminating zero. */
const MAX_PATH_BYTES = process.platform === 'linux' ? 107 : 103;

/** Throws if the path is too long: Node would truncate it and connect to another socket. */
export function checkSocketPath(path: string): void {
  if (process.platform === 'win32' || Buffer.byteLength(path) <= MAX_PATH_BYTES) return;
  throw new Error(
    `the path of the socket ${path} is longer than ${MAX_PATH_BYTES} bytes: move the socket or link to its folder`,
  );
}
