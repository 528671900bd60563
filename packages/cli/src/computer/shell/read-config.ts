import {
  ConfigError,
  formatProblem,
  type InputDefinition,
  type JsonValue,
  type MCPConfig,
  type Problem,
  readConfig,
  type ServerConfig,
} from '@a2c/config';
import { checkVrl } from '../../config-options.js';
import { ShellError } from './command-line.js';

/** The servers of a text in any of the formats; what is wrong with it is told in full. */
export function readServers(text: string, source: string): readonly ServerConfig[] {
  return read(text, source).servers;
}

/** One input or a list of them. */
export function readInputs(value: JsonValue, source: string): readonly InputDefinition[] {
  const { config, problems } = readConfig(JSON.stringify({ inputs: [value].flat() }), { file: source });
  // Lines would be those of the text we just wrote; the pointer is right.
  const placed = problems.map(({ line: _line, column: _column, ...problem }) => problem);
  if (!config) throw refusal(placed);
  return config.inputs;
}

function read(text: string, source: string): MCPConfig {
  const { config, problems } = readConfig(text, { file: source, checkVrl });
  if (!config) throw refusal(problems);
  return config;
}

function refusal(problems: readonly Problem[]): ShellError {
  const errors = problems.filter(({ severity }) => severity === 'error');
  return new ShellError(errors.map(formatProblem).join('\n'), { cause: new ConfigError(errors) });
}
