import { SERVER_LIMITS, type ServerLimits } from '@a2c/server';
import { Command, InvalidArgumentError, Option } from 'commander';
import { serverUrl, tlsCaOption } from '../office-options.js';
import {
  addExamples,
  addJsonLinesOption,
  addJsonOption,
  collect,
  portNumber,
  secondsOrZero,
  suggestion,
} from '../options.js';
import { kick, sessions } from './operate.js';
import { serve } from './serve.js';

/** `a2c server`: runs the signalling server. */
export function serverCommand(): Command {
  const server = new Command('server')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 picks a free one', portNumber, 7_000)
    .addOption(new Option('--api-key <key>', 'accept this API key').env('A2C_API_KEY'))
    .option('--api-key-header <name>', 'HTTP header that carries the API key', 'x-api-key')
    .option('--auth-file <path>', 'API keys and client certificates with their permissions; reloaded on change')
    .option('--jwt-jwks <file or url>', 'accept JSON Web Tokens signed by one of these keys')
    .option('--jwt-audience <name>', 'required audience of the tokens', 'a2c')
    .option('--jwt-issuer <name>', 'required issuer of the tokens')
    .option('--tls-cert <path>', 'serve TLS with this certificate; reloaded on change')
    .option('--tls-key <path>', 'key of the certificate')
    .option('--client-ca <path>', 'require client certificates signed by this authority')
    .option('--insecure', 'allow serving other hosts without TLS or authentication')
    .option('--allow-host <name>', 'serve clients that connect by this host name; repeatable', collect)
    .option('--origin <origin>', 'allow web pages of this origin to connect; repeatable', collect)
    .option('--trusted-proxy <address>', 'trust X-Forwarded-For from this load balancer; repeatable', collect)
    .option('--redis <url>', 'share offices with other nodes through Redis')
    .option('--sharded', 'a load balancer routes each office to one node, by the office in the query')
    .addOption(
      new Option('--version-policy <policy>', 'protocol versions to serve')
        .choices(['lenient', 'strict', 'preview'])
        .default('lenient'),
    )
    .option('--many-agents <office>', 'let several Agents into this office, * for all; repeatable', collect)
    .option('--one-computer <office>', 'let only one Computer into this office, * for all; repeatable', collect)
    .option(
      '--many-computers <office>',
      'with the version policy "preview": let several Computers into this office also if its first member announced protocol 0.5, * for all; repeatable',
      collect,
    )
    .option('--audit <path>', 'write an audit log, one JSON line per request')
    .option(
      '--console',
      'serve the web console; on loopback with a link, elsewhere with a key that has the operator right',
    )
    .option('--metrics', 'serve /metrics to everyone; otherwise a key with the operator right is needed')
    .option('--limit <name=number>', `change a limit; repeatable (default: ${defaults()})`, limit)
    .option('--drain-seconds <number>', 'time for pending calls to finish on shutdown', secondsOrZero, 10)
    .action(serve)
    .addCommand(sessionsCommand())
    .addCommand(kickCommand());
  return addExamples(addJsonLinesOption(server), 'a2c server --port 7000 --auth-file keys.json --audit audit.jsonl');
}

function sessionsCommand(): Command {
  const command = addOperatorOptions(new Command('sessions')).description('list the sessions of a running server');
  return addExamples(
    addJsonOption(command).action((_options, self: Command) => sessions(self.optsWithGlobals())),
    'a2c server sessions --url https://a2c.example.com',
  );
}

function kickCommand(): Command {
  const command = addOperatorOptions(
    new Command('kick').argument('<session>', 'id of the session, as `a2c server sessions` lists it'),
  );
  return addExamples(
    addJsonOption(command.description('end a session of a running server')).action(
      (session: string, _options, self: Command) => kick(session, self.optsWithGlobals()),
    ),
    'a2c server kick 9vWm2XqT0aBcAAAB --url https://a2c.example.com',
  );
}

function addOperatorOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--url <url>', 'URL of the server')
        .env('A2C_URL')
        .default('http://127.0.0.1:7000')
        .argParser(serverUrl),
    )
    .addOption(new Option('--api-key <key>', 'API key with the operator right').env('A2C_API_KEY'))
    .addOption(tlsCaOption());
}

function defaults(): string {
  return Object.entries(SERVER_LIMITS)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}

function limit(text: string, previous: Partial<ServerLimits> = {}): Partial<ServerLimits> {
  const [name = '', value = ''] = text.split('=');
  if (!Object.hasOwn(SERVER_LIMITS, name)) {
    throw new InvalidArgumentError(`there is no limit "${name}"; ${suggestion(name, Object.keys(SERVER_LIMITS))}`);
  }
  if (!(Number(value) > 0)) throw new InvalidArgumentError(`expected ${name}=NUMBER, above 0`);
  return { ...previous, [name]: Number(value) };
}
