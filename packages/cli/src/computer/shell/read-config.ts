import {
  ConfigError,
  formatProblem,
  type InputDefinition,
  type JsonValue,
  type Problem,
  readConfig,
  type ServerConfig,
} from '@a2c/config';
import { checkVrl } from '../../config-options.js';
import { ShellError } from './command-line.js';

/** Reads the servers of a text in any known format. The error lists every problem. */
export function readServers(
  text: string,
  source: string,
): { readonly servers: readonly ServerConfig[]; readonly warnings: readonly Problem[] } {
  const { config, problems } = readConfig(text, { file: source, checkVrl });
  if (!config) throw refusal(problems);
  return { servers: config.servers, warnings: problems };
}

/** Reads one input or an array of inputs. */
export function readInputs(
  value: JsonValue,
  source: string,
): { readonly inputs: readonly InputDefinition[]; readonly warnings: readonly Problem[] } {
  const { config, problems } = readConfig(JSON.stringify({ inputs: [value].flat() }), { file: source });
  // The line numbers would refer to the text generated above; the JSON pointer is correct.
  const placed = problems.map(({ line: _line, column: _column, ...problem }) => problem);
  if (!config) throw refusal(placed);
  return { inputs: config.inputs, warnings: placed };
}

function refusal(problems: readonly Problem[]): ShellError {
  const errors = problems.filter(({ severity }) => severity === 'error');
  return new ShellError(errors.map(formatProblem).join('\n'), { cause: new ConfigError(errors) });
}
