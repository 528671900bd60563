/**
 * The environment variables that can hold an input, most exact first: `A2C_SMCP_` and the id as written, then in capitals.
 * Characters that a variable name cannot have become underscores.
 */
export function environmentNames(id: string): readonly string[] {
  const name = `A2C_SMCP_${id.replaceAll(/[^A-Za-z0-9_]/g, '_')}`;
  return [...new Set([name, name.toUpperCase()])];
}
