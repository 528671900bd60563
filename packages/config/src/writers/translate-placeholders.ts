import type { ConfigFormat, WritableFormat } from '../model/formats.js';
import { keepsUnknownPlaceholders, replacePlaceholders } from '../placeholders/syntax.js';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const NAMES_EVERYWHERE = ['userHome', 'workspaceFolder', 'MCP_ROOT', 'CLAUDE_PLUGIN_ROOT'];

interface Translation {
  readonly from: ConfigFormat;
  readonly to: WritableFormat;
  readonly onLoss: (message: string) => void;
}

/**
 * Writes the placeholders of a text in the syntax of the target format, with the same meaning. A placeholder without a
 * counterpart is kept and reported as a loss: it is never replaced by its value, which may be a secret.
 */
export function translatePlaceholders(text: string, { from, to, onLoss }: Translation): string {
  return replacePlaceholders(text, (placeholder, name) => {
    if (name.startsWith('input:')) {
      if (!keepsUnknownPlaceholders(to)) onLoss(`\${${name}} needs inputs, which ${to} does not have`);
      return placeholder;
    }
    if (name.startsWith('env:')) {
      return keepsUnknownPlaceholders(to) ? placeholder : `\${${name.slice('env:'.length)}}`;
    }
    if (NAMES_EVERYWHERE.includes(name)) {
      return to === 'vscode' && name !== 'userHome' ? '${workspaceFolder}' : placeholder;
    }
    if (keepsUnknownPlaceholders(from) === keepsUnknownPlaceholders(to)) return placeholder;
    if (keepsUnknownPlaceholders(from)) onLoss('a "${…}" that was plain text becomes a placeholder');
    else if (NAME.test(name)) return `\${env:${name}}`;
    else onLoss('a placeholder with a default becomes plain text');
    return placeholder;
  });
}
