// Preloaded into a2c: adds the milliseconds in the file CHAOS_CLOCK to the wall clock.
import { readFileSync } from 'node:fs';

const path = process.env.CHAOS_CLOCK ?? '';
const RealDate = Date;
let shiftMs = 0;

function read(): void {
  try {
    shiftMs = Number(readFileSync(path, 'utf8')) || 0;
  } catch {
    shiftMs = 0; // no fault
  }
}

read();
setInterval(read, 100).unref();

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(
      target,
      args.length === 0 ? [RealDate.now() + shiftMs] : args,
      newTarget === Date ? target : newTarget,
    ),
  apply: () => new RealDate(RealDate.now() + shiftMs).toString(),
  get: (target, key, receiver) => (key === 'now' ? () => RealDate.now() + shiftMs : Reflect.get(target, key, receiver)),
});
