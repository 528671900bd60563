import { type OfficeOptions, OfficeToolbox } from '@a2c/proxy';
import { allowAnonymous, type Listening, type ListenOptions, listen } from '@a2c/server';
import { atEnd } from './doors.js';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** The real signalling server on a free port. */
export async function serve(options: Partial<ListenOptions> = {}): Promise<Listening> {
  const listening = await listen({ authenticate: allowAnonymous, port: 0, logger: quiet, ...options });
  atEnd(() => listening.close());
  return listening;
}

/** The toolbox of office `demo`. */
export function officeAt(url: string, options: Partial<OfficeOptions> = {}): OfficeToolbox {
  const toolbox = new OfficeToolbox({ url, office: 'demo', name: 'proxy', ...options });
  atEnd(() => toolbox.close());
  return toolbox;
}
