import { z } from 'zod';
import { MAX_WINDOW_URI_LENGTH } from './desktop/window-uri.js';
import { isRecord } from './errors.js';
import type { NotificationEvent, RequestEvent } from './events.js';
import { DEFAULT_TIMEOUT_SECONDS, WIRE_LIMITS, type WireLimits } from './limits.js';
import type { NotificationOf, RequestOf } from './messages.js';

/**
 * Objects are loose: a field we do not know is kept, not refused, so that extensions survive the relay. Fields that are
 * null count as absent and older spellings as the present one before a schema sees them (`parse.ts`).
 */

type RequestSchemas = { readonly [E in RequestEvent]: z.ZodType<RequestOf<E>> };
type NotificationSchemas = { readonly [E in NotificationEvent]: z.ZodType<NotificationOf<E>> };

/** A record that is passed on by reference: arguments may be large, and their content is the tool's business. */
const anyRecord = z.custom<Record<string, unknown>>(isRecord, 'expected an object');

/** Peers send numbers as numbers, floats and decimal strings. */
const DECIMAL = /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/;
const numeric = z
  .union([z.number(), z.string()], 'expected a number')
  .refine((value) => typeof value === 'number' || DECIMAL.test(value), 'expected a number')
  .transform(Number);

const role = z.enum(['agent', 'computer'], 'expected "agent" or "computer"');

function identifier(limits: WireLimits) {
  return z
    .string('expected a string')
    .min(1, 'must not be empty')
    .max(limits.identifierLength, `must not be longer than ${limits.identifierLength} characters`)
    .regex(/^\P{Cc}*$/u, 'must not contain control characters'); // they would forge lines in logs
}

function seconds(limits: WireLimits) {
  return numeric
    .refine((value) => value > 0, 'expected a positive number of seconds')
    .transform((value) => Math.min(Math.ceil(value), limits.timeoutSeconds));
}

export function requestSchemas(limits: WireLimits): RequestSchemas {
  const id = identifier(limits);
  const agentCall = z.looseObject({ agent: id, req_id: id });
  const computerRequest = agentCall.extend({ computer: id });
  const update = z.looseObject({ computer: id });
  return {
    'client:tool_call': computerRequest.extend({
      tool_name: id,
      params: anyRecord.default(() => ({})),
      timeout: seconds(limits).default(Math.min(DEFAULT_TIMEOUT_SECONDS, limits.timeoutSeconds)),
    }),
    'client:get_tools': computerRequest,
    'client:get_config': computerRequest,
    'client:get_desktop': computerRequest.extend({
      desktop_size: numeric.transform(Math.trunc).exactOptional(),
      window: z.string('expected a string').max(MAX_WINDOW_URI_LENGTH).exactOptional(),
    }),
    'server:join_office': z.looseObject({ role, name: id, office_id: id }),
    'server:leave_office': z.looseObject({ office_id: id, role: role.exactOptional(), name: id.exactOptional() }),
    'server:list_room': agentCall.extend({ office_id: id }),
    'server:tool_call_cancel': agentCall,
    'server:update_config': update,
    'server:update_tool_list': update,
    'server:update_desktop': update,
  };
}

export const notificationSchemas: NotificationSchemas = (() => {
  const id = identifier(WIRE_LIMITS);
  const membership = z
    .looseObject({ office_id: id, computer: id.exactOptional(), agent: id.exactOptional() })
    .refine(({ computer, agent }) => computer !== undefined || agent !== undefined, {
      error: 'expected the name of the member, under "computer" or "agent"',
      path: ['computer'],
    });
  const update = z.looseObject({ computer: id });
  return {
    'notify:enter_office': membership,
    'notify:leave_office': membership,
    'notify:update_config': update,
    'notify:update_tool_list': update,
    'notify:update_desktop': update,
    'notify:tool_call_cancel': z.looseObject({ agent: id, req_id: id }),
  };
})();
