// The least that a program between two pipes can do: parse each line, rename the tool, write the line on.
// `--busy MS` before the command: it also uses the processor for that time per message.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  options: { busy: { type: 'string', default: '0' } },
  allowPositionals: true,
});
const [command = '', ...args] = positionals;
const busyMs = Number(values.busy);
const upstream = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });

const relay = (input, output, change) => {
  let rest = '';
  input.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const begin = performance.now();
      while (performance.now() - begin < busyMs);
      output.write(`${JSON.stringify(change(JSON.parse(line)))}\n`);
    }
  });
};

relay(process.stdin, upstream.stdin, (message) =>
  message.params?.name === 'exec'
    ? {
        ...message,
        params: {
          ...message.params,
          name: message.params.arguments.tool_name,
          arguments: message.params.arguments.arguments,
        },
      }
    : message,
);
relay(upstream.stdout, process.stdout, (message) => message);
process.stdin.on('end', () => upstream.stdin.end());
