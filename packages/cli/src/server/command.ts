import { SERVER_LIMITS, type ServerLimits } from '@a2c/server';
import { Command, InvalidArgumentError, Option } from 'commander';
import { collect, suggestion } from '../config-options.js';
import { addJsonLinesOption } from '../json-lines-option.js';
import { portNumber } from '../numbers.js';
import { serve } from './serve.js';

/** `a2c server`: the signalling server on a port of its own. */
export function serverCommand(): Command {
  const server = new Command('server')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--port <number>', 'the port; 0 picks a free one', portNumber, 7_000)
    .addOption(new Option('--api-key <key>', 'let in whoever has this key').env('A2C_API_KEY'))
    .option('--api-key-header <name>', 'the header that keys come in', 'x-api-key')
    .option('--auth-file <path>', 'keys and client certificates with what each may do; read again when it changes')
    .option('--jwt-jwks <file or url>', 'let in JSON Web Tokens signed by one of these keys')
    .option('--jwt-audience <name>', 'the audience they must be for', 'a2c')
    .option('--jwt-issuer <name>', 'the issuer they must be from')
    .option('--tls-cert <path>', 'serve TLS with this certificate; reloaded when it changes')
    .option('--tls-key <path>', 'and this key')
    .option('--client-ca <path>', 'demand client certificates signed by this authority')
    .option('--insecure', 'serve without TLS or authentication where others can reach the port')
    .option('--origin <origin>', 'let web pages of this origin connect; repeatable', collect)
    .option('--trusted-proxy <address>', 'believe X-Forwarded-For of this load balancer; repeatable', collect)
    .option('--redis <url>', 'share offices with other nodes through Redis')
    .option('--sharded', 'a load balancer keeps each office on one node by the office of the query')
    .addOption(
      new Option('--version-policy <policy>', 'which protocol versions to serve')
        .choices(['lenient', 'strict'])
        .default('lenient'),
    )
    .option('--audit <path>', 'write an audit log, one JSON line per request')
    .option('--limit <name=number>', `change a limit; repeatable (default: ${defaults()})`, limit)
    .option('--drain-seconds <number>', 'how long calls may take to finish when the server ends', seconds, 10)
    .addHelpText('after', '\nExample:\n  $ a2c server --port 7000 --auth-file keys.json --audit audit.jsonl')
    .action(serve);
  return addJsonLinesOption(server);
}

function defaults(): string {
  return Object.entries(SERVER_LIMITS)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}

function seconds(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && number >= 0) return number;
  throw new InvalidArgumentError('expected a number of seconds');
}

function limit(text: string, previous: Partial<ServerLimits> = {}): Partial<ServerLimits> {
  const [name = '', value = ''] = text.split('=');
  if (!Object.hasOwn(SERVER_LIMITS, name)) {
    throw new InvalidArgumentError(`there is no limit "${name}"; ${suggestion(name, Object.keys(SERVER_LIMITS))}`);
  }
  if (!(Number(value) > 0)) throw new InvalidArgumentError(`expected ${name}=NUMBER, above 0`);
  return { ...previous, [name]: Number(value) };
}
