/** An answer as JSON text. It is sent as it is, so that answers with the same long list encode it only once. */
export class EncodedAnswer {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/** The type of an acknowledgement in the protocol of Socket.IO. */
const ACK = 3;

interface Packet {
  readonly type: number;
  readonly nsp: string;
  readonly id?: number;
  readonly data?: unknown;
}

/** The part of a Socket.IO manager that its typed interface does not show. */
interface ManagerInternals {
  readonly encoder: { encode(packet: Packet): unknown[] };
}

/** Makes a Socket.IO manager send encoded answers. Its own parser would have to be replaced as a whole otherwise. */
export function sendEncodedAnswers(manager: object): void {
  const { encoder } = manager as ManagerInternals;
  const encode = encoder.encode.bind(encoder);
  encoder.encode = (packet) => {
    const answer = packet.type === ACK ? (packet.data as readonly unknown[])[0] : undefined;
    if (!(answer instanceof EncodedAnswer)) return encode(packet);
    return [`${ACK}${packet.nsp === '/' ? '' : `${packet.nsp},`}${packet.id ?? ''}[${answer.json}]`];
  };
}
