/** The file formats that are read, by the name that commands, schemas and documents use for them. */
export const CONFIG_FORMATS = ['v1', 'mcpServers', 'server-map', 'vscode', 'a2c', 'mcpx'] as const;
export type ConfigFormat = (typeof CONFIG_FORMATS)[number];

/** The formats that can be written. */
export const WRITABLE_FORMATS = ['a2c', 'v1', 'mcpServers', 'vscode'] as const;
export type WritableFormat = (typeof WRITABLE_FORMATS)[number];

/** Formats of our own refuse what they do not know; other tools' formats are read as far as they are understood. */
export function isStrict(format: ConfigFormat): boolean {
  return format === 'v1' || format === 'a2c';
}
