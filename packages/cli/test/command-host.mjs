// Runs command lines of the built `a2c` one after the other, without the start of a process for each: the modules are
// loaded once. A command has its own standard streams, environment and folder, as in a process of its own, and is
// finished when nothing would keep that process alive.
import { createRequire } from 'node:module';
import { PassThrough, Writable } from 'node:stream';

/** The bundle of the build. */
const { main } = createRequire(import.meta.url)(process.argv[2]);

/** Ends the code after `process.exit`. */
class Exited extends Error {}

const collected = () => {
  const chunks = [];
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      chunks.push(chunk.toString());
      done();
    },
  });
  return { stream, text: () => chunks.join('') };
};

function replace(name, value) {
  Object.defineProperty(process, name, { value, configurable: true, writable: true });
}

let finish = () => {};
process.exit = (code) => {
  finish(Number(code ?? process.exitCode ?? 0), false);
  throw new Exited();
};
process.on('uncaughtException', (error) => {
  if (error instanceof Exited) return;
  process.stderr.write(`${error.stack}\n`);
  finish(1, false);
});
process.on('warning', ({ name, message }) => process.stderr.write(`${name}: ${message}\n`));
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

/** Resolves when only what was active before keeps the process alive. */
async function settled(before) {
  const left = () => process.getActiveResourcesInfo().length;
  while (left() > before) await new Promise((resolve) => setTimeout(resolve, 5).unref());
}

process.on('message', async ({ args, cwd, env, input }) => {
  for (const key of Object.keys(process.env)) if (!(key in env)) delete process.env[key];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.exitCode = undefined;
  const [stdout, stderr, stdin] = [collected(), collected(), new PassThrough()];
  replace('stdout', stdout.stream);
  replace('stderr', stderr.stream);
  replace('stdin', stdin);
  stdin.end(input);
  const before = process.getActiveResourcesInfo().length;
  const ended = new Promise((resolve) => {
    finish = (code, reusable) => resolve({ code, reusable });
  });
  main(args).then(
    async (code) => {
      await settled(before);
      finish(Number(process.exitCode ?? code), true);
    },
    (error) => {
      if (error instanceof Exited) return;
      process.stderr.write(`${error.stack}\n`);
      finish(1, false);
    },
  );
  const { code, reusable } = await ended;
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal);
  process.send({ code, reusable, stdout: stdout.text(), stderr: stderr.text() });
});
process.send('ready');
