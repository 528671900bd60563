import type { Generation } from '../generations.js';
import type { CallToolResult, Progress } from '../messages/answers.js';
import type { Role } from '../messages/requests.js';
import type { ListChange } from './live-list.js';
import type { OperatorParameters, OperatorRequest } from './requests.js';

/** A connection to a Server, joined or not. Times are ISO 8601. */
export interface OperatorMember {
  readonly sid: string;
  readonly subject: string;
  readonly address: string;
  readonly since: string;
  readonly office?: string;
  readonly role?: Role;
  readonly name?: string;
  /** The protocol version that it declared. */
  readonly version?: string;
  readonly generation?: Generation;
  /** The time of a message to the member and back, measured with heartbeats. */
  readonly roundTripMs?: number;
}

/** A join or a leave. */
export interface OperatorMovement {
  readonly id: string;
  readonly time: string;
  readonly office: string;
  readonly role: Role;
  readonly name: string;
  /** `joined`, or why it is gone. */
  readonly what: 'joined' | 'left' | 'lost' | 'replaced';
}

/** A connection, join or request that the Server refused. */
export interface OperatorRefusal {
  readonly id: string;
  readonly time: string;
  /** `connect`, or the name of the event. */
  readonly event: string;
  readonly reason: string;
  readonly code?: number;
  readonly message?: string;
  readonly address: string;
  readonly subject?: string;
  readonly office?: string;
}

/** The state of a Server as a whole. */
export interface OperatorNode {
  readonly limits: Readonly<Record<string, number>>;
  readonly isReady: boolean;
}

/**
 * A tool call as the Server sees it. Times are milliseconds since 1970 with fractions, so that those of a Server and a
 * Computer on one machine can be compared.
 */
export interface RelayedCall {
  /** Identifies the call at the Server and at the Computer: office, Agent and `req_id` as JSON. */
  readonly id: string;
  readonly office: string;
  readonly agent: string;
  readonly computer: string;
  readonly tool: string;
  readonly reqId: string;
  readonly receivedAt: number;
  readonly relayedAt?: number;
  readonly answeredAt?: number;
  /**
   * `ok`, `denied` by a person, `cancelled`, `failed` if the tool reports a failure, or the name of the error. Absent
   * while the call is pending.
   */
  readonly verdict?: string;
  readonly code?: number;
  readonly message?: string;
  readonly bytesIn?: number;
  /** The {@link OperatorMember.roundTripMs} of the Agent when it called: half of it was the way to the Server. */
  readonly agentRoundTripMs?: number;
  readonly bytesOut?: number;
}

/** A tool call as the Computer sees it. Times as in {@link RelayedCall}. */
export interface ExecutedCall {
  readonly id: string;
  readonly office: string | null;
  /** null for a call from this machine. */
  readonly agent: string | null;
  /** Who made a call from this machine, such as the console. */
  readonly by?: string;
  readonly server: string;
  readonly tool: string;
  readonly reqId: string;
  readonly receivedAt: number;
  /** When a person was asked for consent, and when the question ended. */
  readonly askedAt?: number;
  readonly decidedAt?: number;
  /** When the request was sent to the MCP server, and when its result arrived. */
  readonly sentAt?: number;
  readonly returnedAt?: number;
  readonly answeredAt?: number;
  readonly success?: boolean;
  /** Why the call failed, without secrets; what the tool says if it reported the failure itself. */
  readonly error?: string | null;
  /** The kind of the failure, such as `timeout`; absent if the tool itself reported it. */
  readonly errorKind?: string;
}

/** An MCP server of a Computer. */
export interface OperatorServer {
  readonly name: string;
  readonly transport: string;
  /** Whether its program runs in a sandbox. */
  readonly sandboxed: boolean;
  readonly state: 'starting' | 'ready' | 'failed' | 'stopped' | 'disabled';
  /** Why it is not ready, without secrets. */
  readonly cause: string | null;
  readonly activity: string | null;
  readonly since: string | null;
  readonly retryAt: string | null;
  readonly restarts: number;
  readonly tools: number;
  readonly calls: number;
  readonly version: string | null;
  readonly protocolVersion: string | null;
  readonly pid: number | null;
  /** The state of its login; absent if it needs none. */
  readonly login?: OperatorLogin;
  /** How many of its tools changed since they were approved. */
  readonly changedTools?: number;
}

/** The login of a Computer to one MCP server. */
export interface OperatorLogin {
  readonly state: 'needed' | 'pending' | 'done';
  /** The account that the configuration names; absent if there is only one. */
  readonly account?: string;
  /** The page on which the person logs in. */
  readonly url?: string;
}

/** One MCP server in full. */
export interface OperatorServerDetail extends OperatorServer {
  /** The last lines of its stderr and log messages, without secrets. */
  readonly log: string;
  /** Its configuration as JSON, with secrets masked. */
  readonly config: string;
  readonly instructions: string | null;
  readonly changes?: readonly ChangedTool[];
}

/** A tool that differs from what a person approved. */
export interface ChangedTool {
  readonly tool: string;
  /** Identifies the text that is shown. An approval names it. */
  readonly id: string;
  /** Lines that start with `+`, `-` or a blank. */
  readonly diff: string;
}

/** An input of a Computer. The value of a secret is never shown. */
export interface OperatorInput {
  readonly id: string;
  readonly type: string;
  readonly description: string;
  readonly isSecret: boolean;
  readonly options?: readonly { readonly label: string; readonly value: string }[];
  /** Where its value comes from; `missing` if there is none. */
  readonly source: 'set' | 'environment' | 'command' | 'default' | 'missing';
  /** The value, unless it is a secret. */
  readonly value?: string;
  /** The MCP servers that use it. */
  readonly servers: readonly string[];
}

/** A tool call that waits for consent. */
export interface OperatorQuestion {
  readonly id: string;
  readonly agent: string | null;
  readonly server: string;
  readonly tool: string;
  /** At most 4,096 characters. */
  readonly description: string;
  /** Absent in lists and events if they are larger than 4 KiB. The request `question` answers with them. */
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** In place of large arguments: the beginning of their JSON, and its size. */
  readonly largeArguments?: { readonly start: string; readonly bytes: number };
  /** The hints of the MCP server: `readOnly`, `destructive`, `idempotent`, `openWorld`. */
  readonly hints: readonly string[];
  readonly askedAt: string;
}

/** A tool that runs without a question, because a person answered `always`. */
export interface OperatorAllowedTool {
  readonly server: string;
  readonly tool: string;
  /** Since when. */
  readonly since: string;
}

/** The state of a Computer as a whole. */
export interface OperatorComputer {
  readonly name: string;
  readonly url: string | null;
  readonly office: string | null;
  readonly state: 'disconnected' | 'connecting' | 'connected';
}

/** A tool in a list. */
export interface OperatorTool {
  readonly server: string;
  readonly name: string;
  readonly title?: string;
  /** The first lines of the description. */
  readonly description: string;
  readonly hints: readonly string[];
}

/** A tool in full. */
export interface OperatorToolDetail extends OperatorTool {
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** The arguments as a TypeScript type. */
  readonly type: string;
  readonly outputType?: string;
  readonly autoApply: boolean;
  /** How to call it from a shell and from code, with `ARGUMENTS` in place of the arguments as JSON. */
  readonly copy: { readonly shell: string; readonly code: string };
}

/** A window of the desktop. */
export interface OperatorWindow {
  readonly server: string;
  readonly uri: string;
  readonly title: string;
  readonly priority: number;
  readonly mimeType?: string;
  readonly text?: string;
  /** Base64. */
  readonly blob?: string;
}

/** The tokens that tool lists cost. */
export interface ContextCost {
  /** What the proxy shows to a model at the start. */
  readonly proxy: number;
  /** What the tool lists of all MCP servers cost without the proxy. */
  readonly raw: number;
  readonly servers: readonly { readonly name: string; readonly tools: number; readonly raw: number }[];
  /** The command of the proxy for these tools, to give to an MCP client. Absent if the Computer is in no office. */
  readonly command?: string;
}

/** The answer to each request. */
export interface OperatorAnswers {
  offices: { readonly node: OperatorNode; readonly members: readonly OperatorMember[] };
  kick: object;
  call: {
    readonly relayed?: RelayedCall;
    readonly executed?: ExecutedCall;
    /** The record in the audit log of the Server. */
    readonly audit?: Readonly<Record<string, string | number | undefined>>;
    /** The arguments, with secrets removed. */
    readonly arguments?: Readonly<Record<string, unknown>>;
    /** The beginning of the texts of the result, with secrets removed, and whether there is more. */
    readonly result?: { readonly text: string; readonly isCut: boolean };
  };
  cancel: object;
  servers: {
    readonly computer: OperatorComputer;
    readonly servers: readonly OperatorServer[];
    readonly inputs: readonly OperatorInput[];
    readonly questions: readonly OperatorQuestion[];
    readonly allowed: readonly OperatorAllowedTool[];
  };
  server: OperatorServerDetail;
  'start-server': object;
  'stop-server': object;
  'restart-server': object;
  'save-server': {
    /** The servers that were added or changed. */
    readonly servers: readonly string[];
    readonly warnings: readonly string[];
    readonly refused: readonly { readonly server: string; readonly reason: string }[];
  };
  'remove-server': object;
  login: OperatorLogin;
  'approve-tools': object;
  'set-input': object;
  'clear-input': object;
  question: OperatorQuestion;
  answer: object;
  'revoke-consent': object;
  tools: { readonly tools: readonly OperatorTool[]; readonly total: number };
  tool: OperatorToolDetail;
  'run-tool': CallToolResult | { readonly id: string };
  desktop: { readonly windows: readonly OperatorWindow[] };
  context: ContextCost;
}

/** The events of the stream. The lists are sent whole at first, then as changes. */
export interface OperatorEvents {
  /** The first event: which requests this host answers, and the id of this stream. */
  hello: { readonly stream: string; readonly version: string; readonly offers: readonly OperatorRequest[] };
  node: OperatorNode;
  members: ListChange<OperatorMember>;
  movements: ListChange<OperatorMovement>;
  refusals: ListChange<OperatorRefusal>;
  relayed: ListChange<RelayedCall>;
  executed: ListChange<ExecutedCall>;
  computer: OperatorComputer;
  servers: ListChange<OperatorServer>;
  inputs: ListChange<OperatorInput>;
  questions: ListChange<OperatorQuestion>;
  allowed: ListChange<OperatorAllowedTool>;
  /** The log of an MCP server changed. */
  log: { readonly server: string };
  /** The tools changed. */
  tools: { readonly count: number };
  /** The windows changed. */
  desktop: object;
  progress: { readonly id: string } & Progress;
  /**
   * The result of a call that was started with `stream`. It is absent if it is larger than 64 KiB: repeat the request
   * without `stream`.
   */
  result: { readonly id: string; readonly result?: CallToolResult };
}

/** Who makes a request. */
export interface OperatorCaller {
  /** The identity, for the audit log. */
  readonly subject: string;
  /** Sends an event to one stream. Does nothing if the stream has ended. */
  readonly send: (stream: string, ...event: OperatorEvent) => void;
}

/** The name of an event and its value. */
export type OperatorEvent = { [E in keyof OperatorEvents]: [E, OperatorEvents[E]] }[keyof OperatorEvents];

/** Answers requests. A request that is not among them is not offered. */
export type OperatorHandlers = {
  readonly [R in OperatorRequest]?: (
    parameters: OperatorParameters<R>,
    caller: OperatorCaller,
  ) => Promise<OperatorAnswers[R] | undefined> | OperatorAnswers[R] | undefined;
};

/** What a Server, a Computer or a program offers to operators. */
export interface OperatorPart {
  readonly handlers: OperatorHandlers;
  /** Sends the present state as events, then every change. Returns a function that ends it. */
  follow(send: (...event: OperatorEvent) => void): () => void;
}
