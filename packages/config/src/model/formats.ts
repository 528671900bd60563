/** The file formats that can be read, by the name that commands, schemas and documents use. */
export const CONFIG_FORMATS = ['v1', 'mcpServers', 'server-map', 'vscode', 'a2c', 'mcpx'] as const;
/** One of `CONFIG_FORMATS`. */
export type ConfigFormat = (typeof CONFIG_FORMATS)[number];

/** The file formats that can be written. */
export const WRITABLE_FORMATS = ['a2c', 'v1', 'mcpServers', 'vscode'] as const;
/** One of `WRITABLE_FORMATS`. */
export type WritableFormat = (typeof WRITABLE_FORMATS)[number];

/** Our own formats reject unknown keys; formats of other tools ignore them with a warning. */
export function isStrict(format: ConfigFormat): boolean {
  return format === 'v1' || format === 'a2c';
}
