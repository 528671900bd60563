import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A certificate created for a test. The repository holds no keys, and Node can only read certificates. */
export interface Certificate {
  readonly name: string;
  readonly cert: string;
  readonly key: string;
}

const OID_ECDSA_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');
const OID_COMMON_NAME = Buffer.from('0603550403', 'hex');
const OID_BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex');
const OID_SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex');
const TRUE = Buffer.from('0101ff', 'hex');

/** Issues a certificate for 127.0.0.1, signed by `issuer`; without one, a self-signed authority. */
export function issue(name: string, issuer?: Certificate, validMs = 86_400_000): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signingKey: KeyObject = issuer ? createPrivateKey(issuer.key) : privateKey;
  const algorithm = sequence(OID_ECDSA_SHA256);
  const extensions = sequence(
    sequence(OID_BASIC_CONSTRAINTS, TRUE, tlv(0x04, sequence(...(issuer ? [] : [TRUE])))),
    sequence(OID_SUBJECT_ALT_NAME, tlv(0x04, sequence(tlv(0x87, Buffer.from([127, 0, 0, 1]))))),
  );
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    distinguishedName(issuer?.name ?? name),
    sequence(time(-86_400_000), time(validMs)),
    distinguishedName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, extensions),
  );
  const signature = tlv(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, signingKey)]));
  const base64 = sequence(body, algorithm, signature).toString('base64');
  return {
    name,
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

function tlv(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return tlv(0x30, ...parts);
}

function distinguishedName(name: string): Buffer {
  return sequence(tlv(0x31, sequence(OID_COMMON_NAME, tlv(0x0c, Buffer.from(name)))));
}

function time(offsetMs: number): Buffer {
  const digits = new Date(Date.now() + offsetMs).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return tlv(0x17, Buffer.from(digits.slice(2)));
}
