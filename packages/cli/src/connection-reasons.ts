/** Why a connection ended, by the reason that Socket.IO gives. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['io server disconnect', 'the server ended the session'],
  ['transport close', 'the server or the network closed the connection'],
  ['transport error', 'the connection broke'],
  ['ping timeout', 'the server did not answer any more'],
]);

/** The reason in words for people; other texts stay as they are. */
export function reasonInWords(reason: string): string {
  return WORDS.get(reason) ?? reason;
}
