/** An instruction of a seccomp filter, `struct sock_filter`: code, jumps if true and if false, operand. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, operand: number];

/** How a system calls the kernel: the number of `add_key`, which `request_key` and `keyctl` follow. */
interface Calls {
  /** `AUDIT_ARCH_…` of the kernel. */
  readonly architecture: number;
  readonly addKey: number;
}

const LOAD = 0x20;
const AND = 0x54;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const RETURN = 0x06;

/** Where `struct seccomp_data` has the number and the architecture of a call. */
const NUMBER = 0;
const ARCHITECTURE = 4;

const ALLOW = 0x7fff0000;
/** The call fails with EPERM. */
const REFUSE = 0x00050001;

/** Marks the calls of x32, the second way of x86_64 to number its calls. Other systems do not use the bit. */
const X32 = 0x40000000;

/**
 * Refuses the calls that reach the keyrings of the kernel. Programs in a sandbox inherit those of the person: no
 * namespace separates them. A 64-bit kernel also accepts the calls of 32-bit programs, which have other numbers.
 * Calls of all other architectures are refused.
 */
function keyringFilter(own: Calls, of32Bit: Calls): Uint8Array {
  const program: readonly Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE],
    [IF_EQUAL, 0, 4, own.architecture], // else: 6
    [LOAD, 0, 0, NUMBER],
    [AND, 0, 0, ~X32 >>> 0],
    [IF_AT_LEAST, 0, 5, own.addKey], // else: 10
    [IF_AT_LEAST, 4, 5, own.addKey + 3], // 10, else: 11
    [IF_EQUAL, 0, 4, of32Bit.architecture], // else: 11
    [LOAD, 0, 0, NUMBER],
    [IF_AT_LEAST, 0, 1, of32Bit.addKey], // else: 10
    [IF_AT_LEAST, 0, 1, of32Bit.addKey + 3], // 10, else: 11
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, REFUSE],
  ];
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, ifTrue, ifFalse, operand]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(operand, index * 8 + 4);
  }
  return bytes;
}

const FILTERS: Partial<Record<NodeJS.Architecture, Uint8Array>> = {
  x64: keyringFilter({ architecture: 0xc000003e, addKey: 248 }, { architecture: 0x40000003, addKey: 286 }),
  arm64: keyringFilter({ architecture: 0xc00000b7, addKey: 217 }, { architecture: 0x40000028, addKey: 309 }),
};

/** The seccomp filter of this machine that refuses `add_key`, `request_key` and `keyctl`. Others have none. */
export const KEYRING_FILTER = FILTERS[process.arch];
