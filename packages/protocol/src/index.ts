/**
 * The A2C-SMCP wire: event names, payload types and parsers, errors, versions, tools and the desktop, without I/O. Also
 * the small types and helpers that every layer of a2c shares.
 *
 * @packageDocumentation
 */

export {
  type AgentScope,
  fullNames,
  isPermitted,
  isToolPermitted,
  matchesPattern,
  mayDenyByFullName,
} from './agent-scope.js';
export {
  bundleIdOfName,
  deriveBundleId,
  exposedName,
  isBundleId,
  type ServerConnection,
  type Sha256,
} from './bundle-id.js';
export { a2cCommand, posixQuoted, setCommandName, shellWords } from './command-name.js';
export { configFor } from './config-forms.js';
export { type DeadlineEntry, Deadlines, type Expiring } from './deadlines.js';
export {
  type DesktopGeneration,
  type DesktopOptions,
  organiseDesktop,
  selectWindow,
  type Window,
  type WindowContent,
  type WindowMetadata,
  type WindowResource,
  windowMetadata,
  windowProblems,
} from './desktop/desktop.js';
export {
  buildWindowUri,
  isWindowUri,
  MAX_WINDOW_URI_LENGTH,
  parseWindowUri,
  type WindowUri,
  withoutQuery,
} from './desktop/window-uri.js';
export { Emitter } from './emitter.js';
export { type ErrorName, FINE_CODES, type FineCode, GENERIC_CODES, type GenericCode } from './error-codes.js';
export {
  computerErrorAck,
  type ErrorAnswer,
  type ErrorBody,
  errorAck,
  errorAnswer,
  errorFromText,
  type FailedResult,
  type OfficeAck,
  officeAck,
  readErrorAnswer,
  SMCPError,
  type SMCPErrorOptions,
  type ToolCallErrorAnswer,
  toolCallErrorAnswer,
} from './errors.js';
export type {
  AgentToServerEvents,
  ClientToServerEvents,
  ComputerToServerEvents,
  NotificationMap,
  RequestHandler,
  RequestMap,
  ServerToAgentEvents,
  ServerToClientEvents,
  ServerToComputerEvents,
} from './event-maps.js';
export {
  AGENT_EVENTS,
  type AgentEvent,
  COMPUTER_EVENTS,
  type ComputerEvent,
  canonicalName,
  type EventCategory,
  type EventName,
  eventCategory,
  generationOfName,
  MEMBER_EVENTS,
  type MemberEvent,
  NOTIFICATION_EVENTS,
  type NotificationEvent,
  RELAYED_EVENTS,
  REQUEST_EVENTS,
  type RelayedEvent,
  type RequestEvent,
  requestEvent,
  SMCP_NAMESPACE,
  SPEC_NAMES,
  type UpdateEvent,
  type WireName,
  wireName,
  wireNames,
} from './events.js';
export {
  type CallFailure,
  type Execution,
  executionOf,
  type FailureReason,
  readCallFailure,
  unanswered,
  withFailureText,
} from './failure-reasons.js';
export {
  GENERATIONS,
  type Generation,
  type GenerationRules,
  isGeneration,
  NEWEST_GENERATION,
  rulesOf,
} from './generations.js';
export { containsBinary, isDeeperThan, isRecord, jsonSize, sizeProblem } from './json.js';
export { JSON_TEXT_LIMITS, type JsonTextLimits, jsonTextProblem, REQUEST_TEXT_LIMITS } from './json-text.js';
export {
  DEFAULT_TIMEOUT_SECONDS,
  MAX_ANSWER_DEPTH,
  MAX_DELIVERY_MS,
  MAX_PROGRESS_LENGTH,
  MAX_TOOLS,
  WIRE_LIMITS,
  type WireLimits,
} from './limits.js';
export type {
  A2CResource,
  A2CSkillRef,
  ArgumentProblem,
  CallOptions,
  CallToolResult,
  ContentBlock,
  GetBlobRet,
  GetDesktopRet,
  GetMCPConfigRet,
  GetResourcesRet,
  GetSkillRet,
  GetSkillsRet,
  GetToolsRet,
  ListRoomRet,
  MetaScalar,
  PickOption,
  Progress,
  PutBlobRet,
  SessionInfo,
  SMCPTool,
  ToolCallRet,
} from './messages/answers.js';
export type {
  AckOf,
  Announcement,
  DesktopRefreshNotification,
  EnterOfficeNotification,
  Exchange,
  LeaveOfficeNotification,
  MembershipNotification,
  NotificationContract,
  NotificationOf,
  OfficeExchange,
  RequestContract,
  RequestOf,
  ResultOf,
  ToolCallCancelNotification,
  ToolCallProgressNotification,
  UpdateMCPConfigNotification,
  UpdateSkillsNotification,
  UpdateToolListNotification,
} from './messages/contract.js';
export type {
  AgentCallData,
  ComputerRequest,
  DesktopRefreshReq,
  EnterOfficeReq,
  GetBlobReq,
  GetDesktopReq,
  GetMCPConfigReq,
  GetResourcesReq,
  GetSkillReq,
  GetSkillsReq,
  GetToolsReq,
  LeaveOfficeReq,
  ListRoomReq,
  PutBlobReq,
  Role,
  ToolCallCancelReq,
  ToolCallProgressReq,
  ToolCallReq,
  ToolNamesPreference,
  UpdateMCPConfigReq,
  UpdateReq,
  UpdateSkillsReq,
  UpdateToolListReq,
} from './messages/requests.js';
export { deceptiveName } from './names.js';
export { type ListChange, LiveList, type LiveListOptions } from './operator/live-list.js';
export type {
  ChangedTool,
  ContextCost,
  ExecutedCall,
  OperatorAllowedTool,
  OperatorAnswers,
  OperatorCaller,
  OperatorComputer,
  OperatorEvent,
  OperatorEvents,
  OperatorHandlers,
  OperatorInput,
  OperatorLogin,
  OperatorMember,
  OperatorMovement,
  OperatorNode,
  OperatorPart,
  OperatorQuestion,
  OperatorRefusal,
  OperatorServer,
  OperatorServerDetail,
  OperatorTool,
  OperatorToolDetail,
  OperatorWindow,
  RelayedCall,
} from './operator/operator-interface.js';
export { OPERATOR_REQUESTS, type OperatorParameters, type OperatorRequest } from './operator/requests.js';
export { type OtherWriter, otherWriter } from './other-writer.js';
export {
  createRequestParser,
  parseAnswer,
  parseNotification,
  parseRequest,
  type RequestParser,
  unwrapAnswer,
} from './parse.js';
export { QualifiedNames } from './qualified-names.js';
export {
  MIN_SECRET_LENGTH,
  REDACTED,
  redactAddresses,
  redactDetails,
  redactLog,
  redactSecrets,
  redactValues,
  replaceCredentials,
  SECRET_WORD,
  stringsIn,
  withLines,
} from './redaction.js';
export { Shares } from './shares.js';
export { Bag, type BagEntry, ShortLivedMap } from './short-lived.js';
export { isSkillSegment, parseSkillName, type SkillName } from './skill-name.js';
export { Backoff, delay, raceSignal, type TimeoutOptions, timerMs, withTimeout } from './timing.js';
export {
  declaredToolMeta,
  META_KEYS,
  mergeToolMeta,
  type ToolMeta,
  wireToolMeta,
  withoutBlobKeys,
} from './tool-meta.js';
export { writeToolResult } from './tool-result.js';
export { displayName, type MCPTool, readToolAnnotations, readToolMeta, readToolServer, toSMCPTool } from './tools.js';
export {
  declaredGeneration,
  declaredVersion,
  ERROR_CODE_HEADER,
  generationOfVersion,
  type Handshake,
  handshakeHint,
  isCompatible,
  judgeVersion,
  PROTOCOL_NAME,
  PROTOCOL_VERSION,
  parseVersion,
  readVersionRefusal,
  VERSION_CLOSE_CODE,
  VERSION_QUERY,
  type Version,
  type VersionPolicy,
  type VersionRefusal,
  type VersionVerdict,
} from './version.js';
export { oneLine, reviewText, visibleText, withoutHidden } from './visible-text.js';
