export {
  SandboxError,
  type SandboxErrorKind,
  type SandboxFailure,
  type UnawaitedCall,
} from './errors.js';
export { SANDBOX_LIMITS, type SandboxLimits } from './limits.js';
export type { HostCall, HostFunction, RunOptions, RunOutcome } from './options.js';
export { Sandbox, type SandboxOptions } from './sandbox.js';
export type { JsonValue } from './values.js';
