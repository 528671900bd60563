// The MCP server with everything the conformance suite expects of a server under test, over Streamable HTTP. The
// argument selects its generations of MCP: `both` at one URL, `2025` or `2026`. Prints its URL.
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  createRequestStateCodec,
  fromJsonSchema,
  hostHeaderValidationResponse,
  inputRequired,
  isInputRequiredResult,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  McpServer,
  MissingRequiredClientCapabilityError,
  originValidationResponse,
  ProtocolError,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

const state = createRequestStateCodec({ key: randomBytes(32) });
const text = (words) => ({ content: [{ type: 'text', text: words }] });
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
const image = { type: 'image', data: PNG, mimeType: 'image/png' };

/** Requires input in the way of MCP 2026; for clients of 2025 the SDK sends a request instead. */
const form = (message, properties, required = []) =>
  inputRequired.elicit({ message, requestedSchema: { type: 'object', properties, required } });

const question = (prompt) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens: 100,
  });

/** Asks with a request in the way of MCP 2025, and with a result in that of 2026, so that both ways are used. */
async function ask({ mcpReq }, request) {
  if (mcpReq.envelope === undefined) return mcpReq.send(request);
  const { answer } = mcpReq.inputResponses ?? {};
  if (answer) return answer;
  throw new Question(inputRequired({ inputRequests: { answer: request } }));
}

class Question extends Error {
  constructor(result) {
    super('input is required');
    this.result = result;
  }
}

const CONFIRM = form('Please confirm', { ok: { type: 'boolean' } }, ['ok']);

const contentOf = (answer) => answer.content ?? {};

/** Requires all inputs until each has a response. */
function asking(questions, done, requestState) {
  return {
    run: async (_args, { mcpReq }) => {
      const answers = mcpReq.inputResponses ?? {};
      const open = Object.entries(questions).filter(([key]) => answers[key] === undefined);
      if (open.length === 0) return done(answers);
      return inputRequired({
        inputRequests: Object.fromEntries(open),
        ...(requestState && { requestState: await state.mint(requestState) }),
      });
    },
  };
}

const named = (name) => ({ [name]: { type: 'string' } });

async function logging({ mcpReq }) {
  for (const message of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    await mcpReq.log('info', message);
    await sleep(50); // required by the suite
  }
  return text('done');
}

async function progressing({ mcpReq }) {
  const progressToken = mcpReq._meta?.progressToken;
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    }
    await sleep(50); // required by the suite
  }
  return text(String(progressToken));
}

const completed = ({ action, content }) =>
  text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`);

const DEFAULTS = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};

const titled = ['First', 'Second', 'Third'].map((title, index) => ({
  const: `value${index + 1}`,
  title: `${title} Option`,
}));
const options = ['option1', 'option2', 'option3'];
const ENUMS = {
  untitledSingle: { type: 'string', enum: options },
  titledSingle: { type: 'string', oneOf: titled },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
  titledMulti: { type: 'array', items: { anyOf: titled } },
};

const TOOLS = {
  test_simple_text: { run: async () => text('This is a simple text response for testing.') },
  test_image_content: { run: async () => ({ content: [image] }) },
  test_audio_content: { run: async () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }) },
  test_embedded_resource: {
    run: async () => ({
      content: [
        {
          type: 'resource',
          resource: {
            uri: 'test://embedded-resource',
            mimeType: 'text/plain',
            text: 'This is an embedded resource content.',
          },
        },
      ],
    }),
  },
  test_multiple_content_types: {
    run: async () => ({
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        image,
        {
          type: 'resource',
          resource: {
            uri: 'test://mixed-content-resource',
            mimeType: 'application/json',
            text: '{"test":"data","value":123}',
          },
        },
      ],
    }),
  },
  test_tool_with_logging: { run: (_args, ctx) => logging(ctx) },
  test_tool_with_progress: { run: (_args, ctx) => progressing(ctx) },
  test_error_handling: {
    run: async () => ({ ...text('This tool intentionally returns an error for testing'), isError: true }),
  },
  test_sampling: {
    run: async ({ prompt }, ctx) => {
      const { content } = await ask(ctx, question(String(prompt)));
      return text(`LLM response: ${[content].flat()[0].text}`);
    },
  },
  test_elicitation: {
    run: async ({ message }, ctx) => {
      const properties = { ...named('username'), ...named('email') };
      const answer = await ask(ctx, form(String(message), properties, ['username', 'email']));
      return text(`User response: ${JSON.stringify(answer)}`);
    },
  },
  test_elicitation_sep1034_defaults: {
    run: async (_args, ctx) => completed(await ask(ctx, form('Defaults', DEFAULTS))),
  },
  test_elicitation_sep1330_enums: { run: async (_args, ctx) => completed(await ask(ctx, form('Choices', ENUMS))) },
  test_input_required_result_elicitation: asking(
    { user_name: form('What is your name?', named('name'), ['name']) },
    (answers) => text(`Hello, ${contentOf(answers.user_name).name}!`),
  ),
  test_input_required_result_sampling: asking(
    { capital_question: question('What is the capital of France?') },
    (answers) => text(JSON.stringify(answers.capital_question)),
  ),
  test_input_required_result_list_roots: asking({ client_roots: inputRequired.listRoots() }, (answers) =>
    text(JSON.stringify(answers.client_roots)),
  ),
  test_input_required_result_request_state: asking({ confirm: CONFIRM }, () => text('state-ok'), 'the state'),
  test_input_required_result_tampered_state: asking({ confirm: CONFIRM }, () => text('state-ok'), 'the state'),
  test_input_required_result_multiple_inputs: asking(
    {
      user_name: form('What is your name?', named('name'), ['name']),
      greeting: question('Generate a greeting'),
      client_roots: inputRequired.listRoots(),
    },
    (answers) => text(JSON.stringify(answers)),
    'several',
  ),
  test_input_required_result_multi_round: {
    run: async (_args, { mcpReq }) => {
      const { step1, step2 } = mcpReq.inputResponses ?? {};
      if (step2) return text(`${mcpReq.requestState()} likes ${contentOf(step2).color}`);
      if (!step1)
        return inputRequired({
          inputRequests: { step1: form('Step 1: What is your name?', named('name'), ['name']) },
          requestState: await state.mint('unknown'),
        });
      return inputRequired({
        inputRequests: { step2: form('Step 2: What is your favorite color?', named('color'), ['color']) },
        requestState: await state.mint(String(contentOf(step1).name)),
      });
    },
  },
  test_missing_capability: asking({ anything: question('Anything') }, (answers) => text(JSON.stringify(answers))),
  test_streaming_elicitation: asking({ anything: form('Anything', named('any')) }, (answers) =>
    text(JSON.stringify(answers)),
  ),
  test_logging_tool: { run: (_args, ctx) => logging(ctx) },
  test_custom_headers: {
    run: async () => text('ok'),
    inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
  },
  test_input_required_result_capabilities: asking({ anything: question('Anything') }, (answers) =>
    text(JSON.stringify(answers)),
  ),
  json_schema_2020_12_tool: {
    run: async () => text('ok'),
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      ...conditional({ required: ['phone'] }, { required: ['email'] }),
      additionalProperties: false,
    },
  },
};

/** A literal with a property `then` would look like a promise to the linter. */
function conditional(consequence, alternative) {
  return Object.fromEntries([
    ['then', consequence],
    ['else', alternative],
  ]);
}

const user = (...contents) => ({ messages: contents.map((content) => ({ role: 'user', content })) });
const say = (words) => ({ type: 'text', text: words });

const PROMPTS = {
  test_simple_prompt: { get: () => user(say('This is a simple prompt for testing.')) },
  test_prompt_with_arguments: {
    arguments: ['arg1', 'arg2'],
    get: ({ arg1, arg2 }) => user(say(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  },
  test_prompt_with_embedded_resource: {
    arguments: ['resourceUri'],
    get: ({ resourceUri }) =>
      user(
        {
          type: 'resource',
          resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
        say('Please process the embedded resource above.'),
      ),
  },
  test_prompt_with_image: { get: () => user(image, say('Please analyze the image above.')) },
  test_input_required_result_prompt: {
    get: (_args, { mcpReq }) => {
      const answer = mcpReq.inputResponses?.user_context;
      if (answer) return user(say(`Context: ${contentOf(answer).context}`));
      const asked = form('What context should the prompt use?', named('context'), ['context']);
      return inputRequired({ inputRequests: { user_context: asked } });
    },
  },
};

function resource(uri) {
  const [, id] = /^test:\/\/template\/(.+)\/data$/.exec(uri) ?? [];
  if (id)
    return {
      uri,
      mimeType: 'application/json',
      text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
    };
  if (uri === 'test://static-text')
    return { uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' };
  if (uri === 'test://static-binary') return { uri, mimeType: 'image/png', blob: PNG };
  throw Object.assign(new Error('Resource not found'), { code: -32602, data: { uri } });
}

const REQUIRED_FOR = {
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
  'roots/list': 'roots',
};

/** The SDK checks this only for clients of 2026. */
function requireCapabilities({ inputRequests }, declared = {}) {
  for (const { method } of Object.values(inputRequests)) {
    const capability = REQUIRED_FOR[method];
    if (declared[capability]) continue;
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { [capability]: {} } });
  }
}

/**
 * The suite of 2026 looks for input requests under keys that it knows, such as `user_name`. A request of MCP 2025 has
 * no key: nothing that a server of 2025 sends could tell a proxy which one it would have used. The proxy invents one,
 * which every client of 2026 accepts, because it repeats the keys it was given; all checks but the name are passed
 * with invented keys too. So that the name can be checked as well, this server states it in `_meta`, where a2c also
 * states the key of a 2026 server to a client of 2025: two proxies in a row keep the key.
 */
function withKeys({ inputRequests, ...result }) {
  const keyed = Object.entries(inputRequests).map(([key, { method, params }]) => [
    key,
    { method, params: { ...params, _meta: { a2c_input_key: key } } },
  ]);
  return { ...result, inputRequests: Object.fromEntries(keyed) };
}

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

const ANY_OBJECT = { type: 'object' };
const schemas = new Map();

/** There is a server for each request of MCP 2026; compiling the schemas again would take most of its time. */
function compiled(schema) {
  if (!schemas.has(schema)) schemas.set(schema, fromJsonSchema(schema));
  return schemas.get(schema);
}

function conformanceServer({ era }) {
  const mcp = new McpServer(
    { name: 'conformance', version: '1.0.0' },
    { capabilities: CAPABILITIES, requestState: { verify: state.verify } },
  );
  const { server } = mcp;
  const changed = async (list) => {
    if (era === 'modern') modern.notify[`${list}sChanged`]();
    else if (list === 'tool') await server.sendToolListChanged();
    else await server.sendPromptListChanged();
    return text('announced');
  };
  const tools = {
    ...TOOLS,
    test_trigger_tool_change: { run: () => changed('tool') },
    test_trigger_prompt_change: { run: () => changed('prompt') },
  };
  for (const [name, { run, inputSchema = ANY_OBJECT }] of Object.entries(tools)) {
    mcp.registerTool(name, { description: `The tool ${name}`, inputSchema: compiled(inputSchema) }, run);
  }
  // The SDK's own handler turns every error into a result.
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const tool = tools[params.name];
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name} not found`);
    const result = await tool.run(params.arguments ?? {}, ctx).catch((error) => {
      if (error instanceof Question) return error.result;
      throw error;
    });
    if (era !== 'legacy' || !isInputRequiredResult(result)) return result;
    requireCapabilities(result, server.getClientCapabilities());
    return withKeys(result);
  });
  server.setRequestHandler('resources/list', () => ({
    resources: ['static-text', 'static-binary', 'watched-resource'].map((name) => ({ uri: `test://${name}`, name })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => ({ contents: [resource(uri)] }));
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.entries(PROMPTS).map(([name, prompt]) => ({
      name,
      description: `The prompt ${name}`,
      arguments: (prompt.arguments ?? []).map((argument) => ({ name: argument, required: true })),
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params }, ctx) => PROMPTS[params.name].get(params.arguments ?? {}, ctx));
  server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['paris', 'park', 'party'], total: 3, hasMore: false },
  }));
  return mcp;
}

const modern = createMcpHandler(conformanceServer, { legacy: 'reject' });
const sessions = new Map();

async function legacy(request) {
  const id = request.headers.get('mcp-session-id');
  if (id !== null) {
    return sessions.get(id)?.handleRequest(request) ?? new Response(null, { status: 404 });
  }
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (session) => void sessions.set(session, transport),
    onsessionclosed: (session) => void sessions.delete(session),
  });
  await conformanceServer({ era: 'legacy' }).connect(transport);
  return transport.handleRequest(request);
}

const generations = process.argv[2];
async function fetch(request) {
  const rejection =
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins());
  if (rejection) return rejection;
  if (generations === '2025') return legacy(request);
  return generations === 'both' && (await isLegacyRequest(request)) ? legacy(request) : modern.fetch(request);
}

const handler = toNodeHandler({ fetch });
const http = createServer((request, response) => void handler(request, response));
http.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${http.address().port}/mcp`));
