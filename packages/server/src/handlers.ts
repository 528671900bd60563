import {
  type NotificationEvent,
  officeAck,
  PROTOCOL_VERSION,
  type RelayedEvent,
  type RequestOf,
  rulesOf,
  type ToolCallProgressNotification,
  type UpdateEvent,
} from '@a2c/protocol';
import type { Relay } from './calls/relay.js';
import type { HandlerResult, Handlers } from './dispatcher.js';
import type { Broadcaster } from './rooms/broadcaster.js';
import type { Connection } from './rooms/connection.js';
import type { Membership } from './rooms/membership.js';
import type { RawJson } from './wire/raw-json.js';

const NOTIFICATIONS = {
  'server:update_config': 'notify:update_config',
  'server:update_tool_list': 'notify:update_tool_list',
  'server:update_desktop': 'notify:update_desktop',
  'server:update_skills': 'notify:update_skills',
} as const satisfies Record<UpdateEvent, NotificationEvent>;

export interface HandlerOptions {
  readonly relay: Relay;
  readonly membership: Membership;
  readonly broadcaster: Broadcaster;
  /** Called when the tool list of a Computer may have changed. */
  readonly onToolsChanged: (sid: string) => void;
  /** Called with the progress of a call that is not pending on this node. */
  readonly onRemoteProgress: (sid: string, progress: ToolCallProgressNotification) => void;
}

/** The version of this Server, for peers that read it. */
export function statedVersion({ adapts }: Connection): string | undefined {
  return adapts ? PROTOCOL_VERSION : undefined;
}

/** The handler of each request. The dispatcher has validated the payload. */
export function createHandlers({
  relay,
  membership,
  broadcaster,
  onToolsChanged,
  onRemoteProgress,
}: HandlerOptions): Handlers {
  const relayed =
    <E extends RelayedEvent>(event: E) =>
    (connection: Connection, request: RequestOf<E>, raw: RawJson | undefined): Promise<HandlerResult> =>
      relay.forward(connection, event, request, raw);
  const notified =
    (event: UpdateEvent) =>
    async (connection: Connection): Promise<HandlerResult> => {
      const { office, name, sid } = connection.requireMember('computer');
      if (event === 'server:update_config' || event === 'server:update_tool_list') onToolsChanged(sid);
      broadcaster.broadcast({ office, exceptSid: sid }, NOTIFICATIONS[event], { computer: name });
      return { args: [] };
    };
  return {
    'client:tool_call': relayed('client:tool_call'),
    'client:get_tools': relayed('client:get_tools'),
    'client:get_config': relayed('client:get_config'),
    'client:get_desktop': relayed('client:get_desktop'),
    'client:get_resources': relayed('client:get_resources'),
    'client:get_skills': relayed('client:get_skills'),
    'client:get_skill': relayed('client:get_skill'),
    'client:get_blob': relayed('client:get_blob'),
    'client:put_blob': relayed('client:put_blob'),
    'server:join_office': async (connection, request) => {
      await membership.join(connection, request);
      return { args: officeAck(undefined, connection.generation, statedVersion(connection)) };
    },
    'server:leave_office': async (connection, { office_id }) => {
      const leavesOwn = rulesOf(connection.generation).officeAck === 'flat';
      if (leavesOwn) await membership.end(connection, 'left');
      else await membership.leave(connection, office_id);
      return { args: officeAck(undefined, connection.generation, statedVersion(connection)) };
    },
    'server:list_room': async (connection, { office_id, req_id }) => ({
      args: [await membership.list(connection, office_id, req_id)],
    }),
    'server:tool_call_cancel': async (connection, { req_id }) => {
      relay.cancel(connection, req_id);
      return { args: [] };
    },
    'server:tool_call_progress': async (connection, progress) => {
      const { sid, name } = connection.requireMember('computer');
      const { agent, req_id, total, message } = progress;
      // Other fields are left out: they may be large, and a cluster sends them to its other nodes.
      const known = { ...(total !== undefined && { total }), ...(message !== undefined && { message }) };
      const reported = { agent, req_id, computer: name, progress: progress.progress, ...known };
      if (!relay.progress(sid, reported)) onRemoteProgress(sid, reported);
      return { args: [] };
    },
    'server:update_config': notified('server:update_config'),
    'server:update_tool_list': notified('server:update_tool_list'),
    'server:update_desktop': notified('server:update_desktop'),
    'server:update_skills': notified('server:update_skills'),
  };
}
