import {
  type ComputerEvent,
  type NotificationEvent,
  officeAck,
  type RelayedEvent,
  type RequestOf,
} from '@a2c/protocol';
import type { Relay } from './calls/relay.js';
import type { Handled, Handlers } from './dispatcher.js';
import type { Connection } from './rooms/connection.js';
import { type Membership, seatOf } from './rooms/membership.js';
import type { Notifier } from './rooms/notifier.js';

const ANNOUNCED = {
  'server:update_config': 'notify:update_config',
  'server:update_tool_list': 'notify:update_tool_list',
  'server:update_desktop': 'notify:update_desktop',
} as const satisfies Record<ComputerEvent, NotificationEvent>;

export interface HandlerParts {
  readonly relay: Relay;
  readonly membership: Membership;
  readonly notifier: Notifier;
  /** What was learnt of this Computer's tools no longer holds. */
  readonly onToolsChanged: (sid: string) => void;
}

/** What each request does, once the dispatcher has found it well formed. */
export function createHandlers({ relay, membership, notifier, onToolsChanged }: HandlerParts): Handlers {
  const relayed =
    <E extends RelayedEvent>(event: E) =>
    (connection: Connection, request: RequestOf<E>): Promise<Handled> =>
      relay.forward(connection, event, request);
  const announced =
    (event: ComputerEvent) =>
    async (connection: Connection): Promise<Handled> => {
      const { office, name, sid } = seatOf(connection, 'computer');
      if (event !== 'server:update_desktop') onToolsChanged(sid);
      notifier.tell(office, ANNOUNCED[event], { computer: name }, sid);
      return { args: [] };
    };
  return {
    'client:tool_call': relayed('client:tool_call'),
    'client:get_tools': relayed('client:get_tools'),
    'client:get_config': relayed('client:get_config'),
    'client:get_desktop': relayed('client:get_desktop'),
    'client:get_blob': relayed('client:get_blob'),
    'server:join_office': async (connection, request) => {
      await membership.join(connection, request);
      return { args: officeAck() };
    },
    'server:leave_office': async (connection, { office_id }) => {
      await membership.leave(connection, office_id);
      return { args: officeAck() };
    },
    'server:list_room': async (connection, { office_id, req_id }) => ({
      args: [await membership.list(connection, office_id, req_id)],
    }),
    'server:tool_call_cancel': async (connection, { req_id }) => {
      relay.cancel(connection, req_id);
      return { args: [] };
    },
    'server:update_config': announced('server:update_config'),
    'server:update_tool_list': announced('server:update_tool_list'),
    'server:update_desktop': announced('server:update_desktop'),
  };
}
