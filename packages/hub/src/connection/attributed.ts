import type { UnderWay } from '../calls/under-way.js';
import { configuredRoots, type OurSide } from './our-side.js';

/** Our side of a connection with questions put to whoever made the request; what cannot be attributed is answered by us. */
export function attributed(ours: OurSide, underWay: UnderWay): OurSide {
  const { client, onElicit, onSample, onRoots } = ours;
  return {
    ...ours,
    onElicit:
      onElicit &&
      ((params, context) =>
        underWay.ask(
          ({ onElicit: ask }) => ask && (() => ask(params, context)),
          () => onElicit(params, context),
        )),
    onSample:
      onSample &&
      ((params, context) =>
        underWay.ask(
          ({ onSample: ask }) => ask && (() => ask(params, context)),
          () => onSample(params, context),
        )),
    onRoots:
      configuredRoots(client) ??
      (onRoots &&
        ((context) =>
          underWay.ask(
            ({ onRoots: ask }) => ask && (() => ask(context)),
            () => onRoots(context),
          ))),
  };
}
