import { isIPv4, isIPv6 } from 'node:net';

/**
 * What an untrusted configuration may do with an address. `public`: connect. `private`: connect only when the policy
 * allows private addresses. `forbidden`: never connect; these are multicast, broadcast, unspecified addresses and the
 * metadata services of clouds, which hand out credentials.
 */
export type AddressClass = 'public' | 'private' | 'forbidden';

const PRIVATE_V4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier NAT
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '240.0.0.0/4', // reserved
];

const PRIVATE_V6 = [
  '::1/128',
  '64:ff9b:1::/48', // NAT64 of the local network
  '100::/64', // discard
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '3fff::/20', // documentation
  '5f00::/16', // segment routing
  'fc00::/7', // unique local
  'fe80::/10', // link local
  'fec0::/10', // site local, withdrawn
];

const FORBIDDEN_V4 = [
  '0.0.0.0/32',
  '224.0.0.0/4',
  '255.255.255.255/32',
  '169.254.169.254/32', // metadata: AWS, Azure, Google, OpenStack and others
  '169.254.170.2/32', // AWS container credentials
  '169.254.170.23/32', // AWS pod identity
  '168.63.129.16/32', // Azure's platform channel
  '100.100.100.200/32', // Alibaba
  '192.0.0.192/32', // Oracle
];

const FORBIDDEN_V6 = [
  '::/128',
  'ff00::/8',
  'fd00:ec2::254/128', // AWS metadata
  'fd00:ec2::23/128', // AWS pod identity
  'fd20:ce::254/128', // Google metadata
];

/** Classifies an IP address without brackets. A zone (`%eth0`) is ignored. Text that is no address is `forbidden`. */
export function classifyAddress(address: string): AddressClass {
  const literal = address.split('%')[0] ?? '';
  if (isIPv4(literal)) return classifyV4(v4Number(literal));
  if (isIPv6(literal)) return classifyV6(v6Number(literal));
  return 'forbidden';
}

/** Where an address leads to, for addresses that a server names instead of a person. */
export type AddressRealm = 'loopback' | 'link-local' | AddressClass;

/** Like {@link classifyAddress}, with loopback and link-local addresses apart from other private addresses. */
export function realmOf(address: string): AddressRealm {
  const kind = classifyAddress(address);
  if (kind !== 'private') return kind;
  const literal = address.split('%')[0] ?? '';
  const embedded = isIPv4(literal) ? [v4Number(literal)] : embeddedV4(v6Number(literal));
  const isIn = (v4: readonly Range[], v6: readonly Range[]) =>
    embedded.some((number) => inAny(BigInt(number), v4)) || (isIPv6(literal) && inAny(v6Number(literal), v6));
  if (isIn(LOOPBACK_V4, LOOPBACK_V6)) return 'loopback';
  return isIn(LINK_LOCAL_V4, LINK_LOCAL_V6) ? 'link-local' : 'private';
}

function classifyV4(address: number): AddressClass {
  if (inAny(BigInt(address), FORBIDDEN_V4_RANGES)) return 'forbidden';
  return inAny(BigInt(address), PRIVATE_V4_RANGES) ? 'private' : 'public';
}

/** An IPv6 address that embeds an IPv4 address gets the class of that address. */
function classifyV6(address: bigint): AddressClass {
  if (inAny(address, FORBIDDEN_V6_RANGES)) return 'forbidden';
  const inside = embeddedV4(address).map(classifyV4);
  if (inside.includes('forbidden')) return 'forbidden';
  return inside.includes('private') || inAny(address, PRIVATE_V6_RANGES) ? 'private' : 'public';
}

function embeddedV4(address: bigint): number[] {
  const v4At = (shift: bigint) => Number((address >> shift) & 0xffff_ffffn);
  const low = v4At(0n);
  if (inAny(address, MAPPED_COMPATIBLE_NAT64)) return [low];
  if (inAny(address, SIX_TO_FOUR)) return [v4At(80n)];
  // Teredo: the address of the server as it is, the address of the client with all bits inverted.
  if (inAny(address, TEREDO)) return withoutZero([v4At(64n), ~low >>> 0]);
  if (inAny(address, LOCAL_NAT64)) return withoutZero(nat64Positions(address));
  // ISATAP: an interface id of 0:5efe or 200:5efe under any prefix.
  return ((address >> 32n) & 0xfdff_ffffn) === 0x0000_5efen ? [low] : [];
}

/** RFC 6052: the position of the IPv4 address depends on the length of the prefix, and bits 64 to 71 are zero. */
function nat64Positions(address: bigint): number[] {
  const bits = (shift: bigint, width: bigint) => (address >> shift) & ((1n << width) - 1n);
  const after48 = (bits(64n, 16n) << 16n) | bits(40n, 16n);
  const after56 = (bits(64n, 8n) << 24n) | bits(32n, 24n);
  return [after48, after56, bits(24n, 32n), bits(0n, 32n)].map(Number);
}

/** An all-zero field holds no address. */
function withoutZero(addresses: readonly number[]): number[] {
  return addresses.filter((address) => address !== 0);
}

type Range = { readonly prefix: bigint; readonly shift: bigint };

const FORBIDDEN_V4_RANGES = FORBIDDEN_V4.map(range);
const PRIVATE_V4_RANGES = PRIVATE_V4.map(range);
const FORBIDDEN_V6_RANGES = FORBIDDEN_V6.map(range);
const PRIVATE_V6_RANGES = PRIVATE_V6.map(range);
const MAPPED_COMPATIBLE_NAT64 = ['::ffff:0:0/96', '::/96', '64:ff9b::/96'].map(range);
const SIX_TO_FOUR = ['2002::/16'].map(range);
const TEREDO = ['2001::/32'].map(range);
const LOOPBACK_V4 = ['127.0.0.0/8'].map(range);
const LOOPBACK_V6 = ['::1/128'].map(range);
const LINK_LOCAL_V4 = ['169.254.0.0/16'].map(range);
const LINK_LOCAL_V6 = ['fe80::/10'].map(range);
const LOCAL_NAT64 = ['64:ff9b:1::/48'].map(range);

function range(text: string): Range {
  const [address = '', length = ''] = text.split('/');
  const [number, bits] = isIPv4(address) ? [BigInt(v4Number(address)), 32] : [v6Number(address), 128];
  const shift = BigInt(bits - Number(length));
  return { prefix: number >> shift, shift };
}

function inAny(address: bigint, ranges: readonly Range[]): boolean {
  return ranges.some(({ prefix, shift }) => address >> shift === prefix);
}

function v4Number(text: string): number {
  return text.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}

function v6Number(text: string): bigint {
  const plain = text.replace(/[\d.]+$/, (tail) => (tail.includes('.') ? v4AsGroups(tail) : tail));
  const [head = '', tail] = plain.split('::');
  const groups = (side: string) => (side === '' ? [] : side.split(':'));
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail ?? '')];
  return all.reduce((number, group) => (number << 16n) | BigInt(`0x${group}`), 0n);
}

function v4AsGroups(text: string): string {
  const number = v4Number(text);
  return `${(number >>> 16).toString(16)}:${(number & 0xffff).toString(16)}`;
}
