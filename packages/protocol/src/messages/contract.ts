import type { ErrorAnswer, OfficeAck, ToolCallErrorAnswer } from '../errors.js';
import type { NotificationEvent, RequestEvent } from '../events.js';
import type {
  CallToolResult,
  GetBlobRet,
  GetDesktopRet,
  GetMCPConfigRet,
  GetResourcesRet,
  GetSkillRet,
  GetSkillsRet,
  GetToolsRet,
  ListRoomRet,
  PutBlobRet,
  ToolCallRet,
} from './answers.js';
import type {
  AgentCallData,
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
  ToolCallCancelReq,
  ToolCallProgressReq,
  ToolCallReq,
  UpdateMCPConfigReq,
  UpdateReq,
  UpdateSkillsReq,
  UpdateToolListReq,
} from './requests.js';

/** The member that joined or left: either `computer` or `agent` is set. */
export interface MembershipNotification {
  office_id: string;
  computer?: string;
  agent?: string;
  /** See {@link SessionInfo.epoch}. */
  epoch?: string;
}

/** `notify:enter_office`: a member has joined. */
export type EnterOfficeNotification = MembershipNotification;
/** `notify:leave_office`: a member has left. */
export type LeaveOfficeNotification = MembershipNotification;
/** `notify:update_config`: the configuration of a Computer has changed. */
export type UpdateMCPConfigNotification = UpdateReq;
/** `notify:update_tool_list`: the tools of a Computer have changed. */
export type UpdateToolListNotification = UpdateReq;
/** `notify:update_desktop`: the windows of a Computer have changed. */
export type DesktopRefreshNotification = UpdateReq;
/** `notify:update_skills`: the skills of a Computer have changed. */
export type UpdateSkillsNotification = UpdateReq;
/** `notify:tool_call_cancel`: an Agent cancels a tool call. */
export type ToolCallCancelNotification = AgentCallData;
/** `notify:tool_call_progress`: the progress of a call, sent to its Agent. */
export type ToolCallProgressNotification = ToolCallProgressReq;

/** A request that is answered with an object. */
export interface Exchange<Payload, Result, ErrorForm = ErrorAnswer, Wire = Result> {
  readonly payload: Payload;
  /** The parsed answer. */
  readonly result: Result;
  /** The arguments of the acknowledgement on the wire. */
  readonly ack: readonly [Wire | ErrorForm];
}

/** A request that is answered with `[ok, error]`. */
export interface OfficeExchange<Payload> {
  readonly payload: Payload;
  readonly result: undefined;
  readonly ack: OfficeAck;
}

/** A request that is answered only when it fails. */
export interface Announcement<Payload> {
  readonly payload: Payload;
  readonly result: undefined;
  readonly ack: readonly [error?: ErrorAnswer];
}

/** Payload, result and acknowledgement of every request. */
export interface RequestContract {
  'client:tool_call': Exchange<ToolCallReq, CallToolResult, ToolCallErrorAnswer, ToolCallRet>;
  'client:get_tools': Exchange<GetToolsReq, GetToolsRet>;
  'client:get_config': Exchange<GetMCPConfigReq, GetMCPConfigRet>;
  'client:get_desktop': Exchange<GetDesktopReq, GetDesktopRet>;
  'client:get_resources': Exchange<GetResourcesReq, GetResourcesRet>;
  'client:get_skills': Exchange<GetSkillsReq, GetSkillsRet>;
  'client:get_skill': Exchange<GetSkillReq, GetSkillRet>;
  'client:get_blob': Exchange<GetBlobReq, GetBlobRet>;
  'client:put_blob': Exchange<PutBlobReq, PutBlobRet>;
  'server:join_office': OfficeExchange<EnterOfficeReq>;
  'server:leave_office': OfficeExchange<LeaveOfficeReq>;
  'server:list_room': Exchange<ListRoomReq, ListRoomRet>;
  'server:tool_call_cancel': Announcement<ToolCallCancelReq>;
  'server:tool_call_progress': Announcement<ToolCallProgressReq>;
  'server:update_config': Announcement<UpdateMCPConfigReq>;
  'server:update_tool_list': Announcement<UpdateToolListReq>;
  'server:update_desktop': Announcement<DesktopRefreshReq>;
  'server:update_skills': Announcement<UpdateSkillsReq>;
}

/** The payload of every notification. */
export interface NotificationContract {
  'notify:enter_office': EnterOfficeNotification;
  'notify:leave_office': LeaveOfficeNotification;
  'notify:update_config': UpdateMCPConfigNotification;
  'notify:update_tool_list': UpdateToolListNotification;
  'notify:update_desktop': DesktopRefreshNotification;
  'notify:update_skills': UpdateSkillsNotification;
  'notify:tool_call_cancel': ToolCallCancelNotification;
  'notify:tool_call_progress': ToolCallProgressNotification;
}

/** The payload of a request. */
export type RequestOf<E extends RequestEvent> = RequestContract[E]['payload'];
/** The parsed answer to a request. */
export type ResultOf<E extends RequestEvent> = RequestContract[E]['result'];
/** The arguments of the acknowledgement of a request. */
export type AckOf<E extends RequestEvent> = RequestContract[E]['ack'];
/** The payload of a notification. */
export type NotificationOf<E extends NotificationEvent> = NotificationContract[E];
