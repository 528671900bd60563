import { replaceCredentials } from '@a2c/protocol';
import { hasPlaceholder, mapTexts, placeholdersIn, replacePlaceholders } from '../placeholders/syntax.js';
import type { InputDefinition } from './input-definition.js';
import type { MCPConfig } from './mcp-config.js';
import { replaceInUrl, withoutScheme } from './secret-shapes.js';
import { replaceSecrets } from './secrets.js';
import { replaceInArguments } from './secrets-in-arguments.js';
import type { ServerConfig } from './server-config.js';

/** Replaces a secret in shown values. Its length is fixed, because the length of a secret is information. */
export const MASK = '********';

/**
 * The configuration without secrets, for display. All values of environments and headers are masked, because a name
 * does not prove that a value is harmless. Placeholders stay readable.
 */
export function maskConfig(config: MCPConfig): MCPConfig {
  return { ...config, servers: config.servers.map(maskServer), inputs: config.inputs.map(maskInput) };
}

/** One server without secrets; see `maskConfig`. */
export function maskServer(server: ServerConfig): ServerConfig {
  const transport = replaceSecrets(server.transport, ({ text }) => maskText(text));
  return { ...server, transport: mapTexts(transport, maskRest) };
}

/** Masks what would be removed from an error. What is masked stays as it is. */
function maskRest(text: string): string {
  return replaceCredentials(text, (found) => (found.includes(MASK) || hasPlaceholder(found) ? found : MASK));
}

function maskValues(map: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, maskText(value)]));
}

/** Masks everything except placeholders, whose defaults are masked, and authentication schemes such as `Bearer`. */
function maskText(text: string): string {
  const { scheme, rest } = withoutScheme(text);
  if (rest === '') return text;
  const placeholders = placeholdersIn(rest).map(
    ([, name = '']) => `\${${name.split(':-')[0]}${name.includes(':-') ? `:-${MASK}` : ''}}`,
  );
  const outside = replacePlaceholders(rest, () => '');
  return scheme + [...placeholders, ...(outside === '' ? [] : [MASK])].join('');
}

function maskArguments(argv: readonly string[]): string[] {
  return replaceInArguments(argv, ({ text }) => maskText(text)).map(maskRest);
}

/** Masks credentials, query values, and path segments that look like a key. */
export function maskUrl(url: string): string {
  return maskRest(replaceInUrl(url, ({ text }) => maskText(text)));
}

/** One input definition without secrets: the default of a password and the arguments of a command are masked. */
export function maskInput(input: InputDefinition): InputDefinition {
  if (input.type === 'command') {
    const command = maskArguments(input.command.split(' ')).join(' ');
    return { ...input, command, args: input.args && maskValues(input.args) };
  }
  return input.type === 'promptString' && input.password && input.default !== null
    ? { ...input, default: MASK }
    : input;
}
