/** The codes of the protocol document and those that a Server needs in addition. The title precedes the message. */
export const GENERIC_CODES = {
  400: { name: 'BadRequest', zh: '无效请求' },
  401: { name: 'Unauthorized', zh: '未认证' },
  403: { name: 'Forbidden', zh: '权限违规' },
  404: { name: 'NotFound', zh: '资源不存在' },
  408: { name: 'Timeout', zh: '请求超时' },
  429: { name: 'TooManyRequests', zh: '请求过多' },
  500: { name: 'InternalError', zh: '内部错误' },
  503: { name: 'Unavailable', zh: '服务暂不可用' },
} as const;

/** The specific codes. Peers before 0.2 receive them in `details.a2c_code`, next to the generic code. */
export const FINE_CODES = {
  4001: { name: 'ToolNotFound', generic: 404 },
  4002: { name: 'ToolDisabled', generic: 403 },
  4003: { name: 'ToolExecutionFailed', generic: 500 },
  4004: { name: 'ToolTimeout', generic: 408 },
  4005: { name: 'ToolRequiresConfirmation', generic: 403 },
  4006: { name: 'ToolAuthorizationRequired', generic: 401 },
  4007: { name: 'ToolAuthorizationFailed', generic: 403 },
  4008: { name: 'VersionMismatch', generic: 400 },
  4014: { name: 'MCPServerNotFound', generic: 404 },
  4015: { name: 'CapabilityNotSupported', generic: 400 },
  4016: { name: 'InvalidSkillName', generic: 400 },
  4017: { name: 'SkillResourceNotAccessible', generic: 403 },
  4018: { name: 'BlobNotAccessible', generic: 404 },
  4019: { name: 'BlobWriteFailed', generic: 403 },
  4101: { name: 'RoomFull', generic: 403 },
  4102: { name: 'RoomNotFound', generic: 404 },
  4103: { name: 'NotInRoom', generic: 403 },
  4104: { name: 'CrossRoomAccess', generic: 403 },
  4105: { name: 'NameTaken', generic: 403 },
  4106: { name: 'AgentInAnotherRoom', generic: 403 },
} as const;

/** A code that every peer understands. */
export type GenericCode = keyof typeof GENERIC_CODES;
/** A specific code that newer peers understand. */
export type FineCode = keyof typeof FINE_CODES;
/** The name of a generic or specific code; docs/wire.md lists all of them. */
export type ErrorName = (typeof GENERIC_CODES)[GenericCode]['name'] | (typeof FINE_CODES)[FineCode]['name'];

interface CodeEntry {
  readonly name: ErrorName;
  readonly code: GenericCode;
  readonly a2cCode?: FineCode;
}

const byNumber = new Map<number, CodeEntry>();
const byName = new Map<ErrorName, CodeEntry>();

function register(number: number, entry: CodeEntry): void {
  byNumber.set(number, entry);
  byName.set(entry.name, entry);
}

for (const [number, { name }] of Object.entries(GENERIC_CODES)) {
  register(Number(number), { name, code: Number(number) as GenericCode });
}
for (const [number, { name, generic }] of Object.entries(FINE_CODES)) {
  register(Number(number), { name, code: generic, a2cCode: Number(number) as FineCode });
}

/** The codes of a name such as `ToolDisabled`. */
export function codeOfName(name: ErrorName): CodeEntry {
  return byName.get(name) as CodeEntry;
}

/** The name of a number from the wire; an unknown number gets the name of its class (4xx or 5xx). */
export function nameOfNumber(number: number): ErrorName {
  const fallback = number >= 400 && number < 500 ? 'BadRequest' : 'InternalError';
  return byNumber.get(number)?.name ?? fallback;
}

export function isKnownNumber(number: number): boolean {
  return byNumber.has(number);
}

/** The protocol document recommends Chinese messages: this title precedes the English message. */
export function chineseTitle(code: GenericCode): string {
  return GENERIC_CODES[code].zh;
}

export const CHINESE_TITLES: readonly string[] = Object.values(GENERIC_CODES).map(({ zh }) => zh);
