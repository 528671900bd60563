// The least that a program between two pipes can do: parse each line, rename the tool, write the line on.
import { spawn } from 'node:child_process';

const [command = '', ...args] = process.argv.slice(2);
const upstream = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });

const relay = (input, output, change) => {
  let rest = '';
  input.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) output.write(`${JSON.stringify(change(JSON.parse(line)))}\n`);
  });
};

relay(process.stdin, upstream.stdin, (message) =>
  message.params?.name === 'exec'
    ? {
        ...message,
        params: { name: message.params.arguments.tool_name, arguments: message.params.arguments.arguments },
      }
    : message,
);
relay(upstream.stdout, process.stdout, (message) => message);
process.stdin.on('end', () => upstream.stdin.end());
