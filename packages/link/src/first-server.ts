import { parseAnswer, rulesOf, SMCPError } from '@a2c/protocol';
import type { Connection } from './connection.js';
import { randomId } from './random-id.js';

/**
 * A Server of 0.1 accepts any announcement. It is recognised by its list of members, which has no versions. A Server
 * that does not answer stays what it is.
 */
export async function recogniseFirstServer(
  connection: Connection,
  { name, office, ms }: { readonly name: string; readonly office: string; readonly ms: number },
): Promise<void> {
  if (rulesOf(connection.generation).errors === 'nested') return;
  const request = { agent: name, req_id: randomId(), office_id: office };
  try {
    const read = (ack: readonly unknown[]) => parseAnswer('server:list_room', ack);
    const { sessions } = await connection.request('server:list_room', request, { ms, read });
    const own = sessions.find((session) => session.sid === connection.sid || session.name === name);
    if (own && own.a2c_version === undefined) connection.generation = '0.1';
  } catch (error) {
    if (!(error instanceof SMCPError)) throw error;
  }
}
