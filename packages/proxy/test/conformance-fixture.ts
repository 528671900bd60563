import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CallToolResult,
  type ElicitRequestFormParams,
  type InputRequests,
  inputRequired,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type Fixture, type FixtureTool, fixture, text } from './fixture.js';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };

type Properties = ElicitRequestFormParams['requestedSchema']['properties'];

async function elicit({ mcpReq }: ServerContext, message: string, properties: Properties, required: string[] = []) {
  return mcpReq.elicitInput({ message, requestedSchema: { type: 'object', properties, required } });
}

async function sample({ mcpReq }: ServerContext, prompt: string): Promise<string> {
  const { content } = await mcpReq.requestSampling({
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens: 100,
  });
  const [first] = [content].flat();
  return first?.type === 'text' ? first.text : '';
}

/** Requires input in the way of MCP 2026; for clients of 2025 the SDK sends a request instead. */
const form = (message: string, properties: Properties, required: string[] = []) =>
  inputRequired.elicit({ message, requestedSchema: { type: 'object', properties, required } });

const question = (prompt: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens: 100,
  });

const CONFIRM = form('Please confirm', { ok: { type: 'boolean' } }, ['ok']);

type Answers = Readonly<Record<string, unknown>>;

const contentOf = (answer: unknown) => (answer as { content?: Record<string, unknown> }).content ?? {};

/** Requires all inputs until each has a response. */
function asking(
  questions: InputRequests,
  done: (answers: Answers) => CallToolResult,
  requestState?: string,
): FixtureTool {
  return {
    run: (_args, { mcpReq }) => {
      const answers = mcpReq.inputResponses ?? {};
      const open = Object.entries(questions).filter(([key]) => answers[key] === undefined);
      if (open.length === 0) return done(answers);
      return inputRequired({ inputRequests: Object.fromEntries(open), ...(requestState && { requestState }) });
    },
  };
}

const named = (name: string) => ({ [name]: { type: 'string' as const } });

async function logging({ mcpReq }: ServerContext): Promise<CallToolResult> {
  for (const message of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    await mcpReq.log('info', message);
    await sleep(50); // required by the suite
  }
  return text('done');
}

async function progressing({ mcpReq }: ServerContext): Promise<CallToolResult> {
  const progressToken = mcpReq._meta?.progressToken;
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    }
    await sleep(50); // required by the suite
  }
  return text(String(progressToken));
}

const completed = ({ action, content }: { action: string; content?: unknown }) =>
  text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`);

const DEFAULTS: Properties = {
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
const ENUMS: Properties = {
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

const TOOLS: Record<string, FixtureTool> = {
  test_simple_text: { run: () => text('This is a simple text response for testing.') },
  test_image_content: { run: () => ({ content: [image] }) },
  test_audio_content: { run: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }) },
  test_embedded_resource: {
    run: () => ({
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
    run: () => ({
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
    run: () => ({ ...text('This tool intentionally returns an error for testing'), isError: true }),
  },
  test_sampling: { run: async ({ prompt }, ctx) => text(`LLM response: ${await sample(ctx, String(prompt))}`) },
  test_elicitation: {
    run: async ({ message }, ctx) => {
      const answer = await elicit(ctx, String(message), { ...named('username'), ...named('email') }, [
        'username',
        'email',
      ]);
      return text(`User response: ${JSON.stringify(answer)}`);
    },
  },
  test_elicitation_sep1034_defaults: { run: async (_args, ctx) => completed(await elicit(ctx, 'Defaults', DEFAULTS)) },
  test_elicitation_sep1330_enums: { run: async (_args, ctx) => completed(await elicit(ctx, 'Choices', ENUMS)) },
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
  ),
  test_input_required_result_multi_round: {
    run: (_args, { mcpReq }) => {
      const { step1, step2 } = mcpReq.inputResponses ?? {};
      if (step2) return text(`${mcpReq.requestState()} likes ${contentOf(step2).color}`);
      if (!step1)
        return inputRequired({
          inputRequests: { step1: form('Step 1: What is your name?', named('name'), ['name']) },
          requestState: 'nobody',
        });
      return inputRequired({
        inputRequests: { step2: form('Step 2: What is your favorite color?', named('color'), ['color']) },
        requestState: String(contentOf(step1).name),
      });
    },
  },
  test_missing_capability: asking({ anything: question('Anything') }, (answers) => text(JSON.stringify(answers))),
  test_streaming_elicitation: asking({ anything: form('Anything', named('any')) }, (answers) =>
    text(JSON.stringify(answers)),
  ),
  test_logging_tool: { run: (_args, ctx) => logging(ctx) },
  test_custom_headers: {
    run: () => text('ok'),
    inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
  },
  test_input_required_result_capabilities: asking({ anything: question('Anything') }, (answers) =>
    text(JSON.stringify(answers)),
  ),
  json_schema_2020_12_tool: {
    run: () => text('ok'),
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
function conditional(consequence: object, alternative: object): Record<string, unknown> {
  return Object.fromEntries([
    ['then', consequence],
    ['else', alternative],
  ]);
}

const user = (...contents: object[]) => ({ messages: contents.map((content) => ({ role: 'user', content })) });
const say = (words: string) => ({ type: 'text', text: words });

const PROMPTS: Record<
  string,
  { arguments?: string[]; get: (args: Record<string, string>, ctx: ServerContext) => Promise<object> | object }
> = {
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

function resource(uri: string): object {
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

async function announced(announce: () => Promise<void>): Promise<CallToolResult> {
  await announce();
  return text('announced');
}

/** The MCP server with everything the conformance suite expects of a server under test. */
export function conformanceFixture(modern: boolean): Fixture {
  const more = (server: Server) => {
    server.setRequestHandler('resources/list', () => ({
      resources: ['static-text', 'static-binary', 'watched-resource'].map((name) => ({ uri: `test://${name}`, name })),
    }));
    server.setRequestHandler('resources/templates/list', () => ({
      resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
    }));
    server.setRequestHandler('resources/read', ({ params: { uri } }) => ({ contents: [resource(uri)] }) as never);
    server.setRequestHandler('resources/subscribe', () => ({}));
    server.setRequestHandler('resources/unsubscribe', () => ({}));
    server.setRequestHandler('prompts/list', () => ({
      prompts: Object.entries(PROMPTS).map(([name, prompt]) => ({
        name,
        description: `The prompt ${name}`,
        arguments: (prompt.arguments ?? []).map((argument) => ({ name: argument, required: true })),
      })),
    }));
    server.setRequestHandler(
      'prompts/get',
      async ({ params }, ctx) => (await PROMPTS[params.name]?.get(params.arguments ?? {}, ctx)) as never,
    );
    server.setRequestHandler('completion/complete', () => ({
      completion: { values: ['paris', 'park', 'party'], total: 3, hasMore: false },
    }));
  };
  const capabilities = {
    tools: { listChanged: true },
    resources: { subscribe: true },
    prompts: { listChanged: true },
    completions: {},
    logging: {},
  };
  const changing: Record<string, FixtureTool> = {
    test_trigger_tool_change: { run: () => announced(() => made.server.sendToolListChanged()) },
    test_trigger_prompt_change: { run: () => announced(() => made.server.sendPromptListChanged()) },
  };
  const made = fixture('conformance', { ...TOOLS, ...changing }, { more, capabilities, modern });
  return made;
}
