import { type GetBlobRet, SMCPError } from '@a2c/protocol';
import { fromBase64 } from './base64.js';

/** What the Computer said of a part when it left it out. */
export interface BlobNote {
  readonly handle: string;
  readonly totalSize: number;
  readonly sha256: unknown;
}

export type AskPiece = (handle: string, offset: number) => Promise<GetBlobRet>;

/**
 * Web Crypto, which checks what arrived. Web pages that came over plain HTTP do not have it; an Agent there does not offer to
 * pull, and large results stay the Computer's clear error.
 */
export const canPull = crypto.subtle !== undefined;

/** All pieces in order, checked by size and SHA-256. The size must have been found bearable before. */
export async function pullBlob({ handle, totalSize, sha256 }: BlobNote, ask: AskPiece): Promise<Uint8Array> {
  if (!Number.isSafeInteger(totalSize) || totalSize < 0 || typeof sha256 !== 'string') {
    throw damaged('the Computer did not say its size and SHA-256');
  }
  const whole = new Uint8Array(totalSize);
  for (let offset = 0; ; ) {
    const piece = await ask(handle, offset);
    const bytes = fromBase64(piece.blob);
    if (!bytes) throw damaged(`the piece at ${offset} is not base64`);
    if (piece.chunk_offset !== offset) throw damaged(`got the piece at ${piece.chunk_offset} instead of ${offset}`);
    if (offset + bytes.length > totalSize) throw damaged(`it is larger than the ${totalSize} bytes announced`);
    whole.set(bytes, offset);
    offset += bytes.length;
    if (piece.eof || offset === totalSize) {
      if (offset < totalSize) throw damaged(`it ended after ${offset} of ${totalSize} bytes`);
      break;
    }
    if (bytes.length === 0) throw damaged(`the piece at ${offset} is empty`);
  }
  if ((await sha256Of(whole)) !== sha256.toLowerCase()) throw damaged('its SHA-256 is not the one announced');
  return whole;
}

async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function damaged(problem: string): SMCPError {
  return new SMCPError('BlobNotAccessible', `${problem}; call the tool again`);
}
