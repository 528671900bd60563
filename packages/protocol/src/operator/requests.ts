import { z } from 'zod';

const name = z.string().min(1).max(256);
const id = z.string().min(1).max(1_024);
const none = z.strictObject({});
const server = z.strictObject({ server: name });
const configuration = z.string().min(2).max(1_000_000);

/**
 * Every request of the operator interface: the schema of its parameters, and whether it changes something. Requests
 * that change something are sent with POST and a JSON body and are recorded in the audit log. The others are sent with
 * GET and a query.
 */
export const OPERATOR_REQUESTS = {
  // The Server.
  offices: { changes: false, parameters: none },
  kick: { changes: true, parameters: z.strictObject({ sid: id }) },
  call: { changes: false, parameters: z.strictObject({ id }) },
  cancel: { changes: true, parameters: z.strictObject({ id }) },
  // The MCP servers of a Computer.
  servers: { changes: false, parameters: none },
  server: { changes: false, parameters: server },
  'start-server': { changes: true, parameters: server },
  'stop-server': { changes: true, parameters: server },
  'restart-server': { changes: true, parameters: server },
  'save-server': {
    changes: true,
    parameters: z.strictObject({ text: configuration, server: name.optional() }),
  },
  'remove-server': { changes: true, parameters: server },
  login: { changes: true, parameters: server },
  'approve-tools': {
    changes: true,
    parameters: z.strictObject({ server: name, tools: z.array(z.strictObject({ tool: name, id: name })).min(1) }),
  },
  // Inputs and consent.
  'set-input': { changes: true, parameters: z.strictObject({ input: name, value: z.string().max(100_000) }) },
  'clear-input': { changes: true, parameters: z.strictObject({ input: name }) },
  question: { changes: false, parameters: z.strictObject({ id }) },
  answer: {
    changes: true,
    parameters: z.strictObject({ id, answer: z.enum(['allow', 'deny', 'deny-all', 'always']) }),
  },
  'revoke-consent': { changes: true, parameters: z.strictObject({ server: name, tool: name }) },
  // Tools.
  tools: { changes: false, parameters: z.strictObject({ query: z.string().max(400).optional() }) },
  tool: { changes: false, parameters: z.strictObject({ server: name, tool: name }) },
  'run-tool': {
    changes: true,
    parameters: z.strictObject({
      id: z.string().min(1).max(256),
      server: name,
      tool: name,
      arguments: z.record(z.string(), z.unknown()),
      /** In seconds. */
      timeout: z.number().positive().max(3_600).optional(),
      /** The stream that receives the result as an event. Without it, the answer to the request is the result. */
      stream: id.optional(),
    }),
  },
  desktop: { changes: false, parameters: none },
  context: { changes: false, parameters: none },
} as const satisfies Record<string, { readonly changes: boolean; readonly parameters: z.ZodType }>;

/** The name of a request of the operator interface. */
export type OperatorRequest = keyof typeof OPERATOR_REQUESTS;

/** The parameters of a request. */
export type OperatorParameters<R extends OperatorRequest> = z.infer<(typeof OPERATOR_REQUESTS)[R]['parameters']>;
