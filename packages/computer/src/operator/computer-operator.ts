import { type AvailableTool, HubError, type ServerStatus } from '@a2c/hub';
import {
  a2cCommand,
  type CallToolResult,
  type ContextCost,
  type ExecutedCall,
  LiveList,
  type OperatorAnswers,
  type OperatorCaller,
  type OperatorComputer,
  type OperatorEvent,
  type OperatorHandlers,
  type OperatorInput,
  type OperatorLogin,
  type OperatorParameters,
  type OperatorPart,
  type OperatorServer,
  type OperatorServerDetail,
  type OperatorToolDetail,
  type OperatorWindow,
  SMCPError,
  type Window,
  windowMetadata,
} from '@a2c/protocol';
import { jsonBytes } from '../calls/json-bytes.js';
import type { Computer } from '../computer.js';
import type { ToolCallRecord } from '../history/call-history.js';
import type { OfficeLink } from '../link/office-link.js';
import { ConsentQuestions } from './consent-questions.js';
import { configText, readEdited } from './edited-config.js';
import { ServerLogs } from './server-logs.js';
import { inputViews, serverView } from './server-view.js';
import { toolView } from './tool-view.js';

/**
 * How the proxy shows tools. The program that hosts the Computer provides it, because the proxy is above this package.
 */
export interface ToolPresentation {
  /** Searches as the proxy does. Best match first. */
  search(query: string): Promise<readonly { readonly server: string; readonly tool: string }[]>;
  /** A JSON Schema as a TypeScript type. */
  typeOf(schema: Readonly<Record<string, unknown>>): string;
  /** How to call the tool from a shell and from code. */
  copy(tool: AvailableTool): OperatorToolDetail['copy'];
  /** What the tool lists cost a model. */
  context(): ContextCost;
}

/** Options of a {@link ComputerOperator}. */
export interface ComputerOperatorOptions {
  readonly tools: ToolPresentation;
  /** The questions whose `confirm` was given to the Computer. */
  readonly questions?: ConsentQuestions;
}

/** How many calls are kept. */
const KEPT_CALLS = 2_000;

/** How many characters of a result are kept for its record. */
const SHOWN_RESULT = 2_000;

/** A larger result is not sent as an event: the page requests it. */
const MAX_EVENT_BYTES = 64 * 1_024;

/** Changes of states within this time are sent as one. */
const REFRESH_MS = 50;

/**
 * What a Computer offers to operators: its MCP servers, inputs, consent questions, tools, desktop and calls.
 *
 * @example
 * ```ts
 * const questions = new ConsentQuestions();
 * const computer = new Computer({ name: 'pc', confirm: questions.confirm });
 * const operator = new ComputerOperator(computer, { tools: presentation, questions });
 * ```
 */
export class ComputerOperator implements OperatorPart {
  readonly #computer: Computer;
  readonly #options: ComputerOperatorOptions;
  readonly #questions: ConsentQuestions;
  readonly #servers = new LiveList<OperatorServer>({ id: ({ name }) => name });
  readonly #inputs = new LiveList<OperatorInput>({ id: ({ id }) => id });
  readonly #calls = new LiveList<ExecutedCall>({ id: ({ id }) => id, limit: KEPT_CALLS });
  readonly #logs = new ServerLogs((servers) => {
    if (this.#followers.size === 0) return;
    this.#refreshNow(); // A server that is starting shows its last line.
    for (const server of servers) this.#send('log', { server });
  });
  /** Logins that wait for a person. */
  readonly #logins = new Map<string, OperatorLogin>();
  readonly #records = new Map<string, Pick<OperatorAnswers['call'], 'arguments' | 'result'>>();
  readonly #followers = new Set<(...event: OperatorEvent) => void>();
  readonly handlers: OperatorHandlers;
  #link: OfficeLink | undefined;
  #refresh: NodeJS.Timeout | undefined;

  constructor(computer: Computer, options: ComputerOperatorOptions) {
    this.#computer = computer;
    this.#options = options;
    this.#questions = options.questions ?? new ConsentQuestions();
    const refresh = () => {
      this.#refresh ??= setTimeout(() => this.#refreshNow(), REFRESH_MS).unref();
    };
    computer.on('status', refresh);
    computer.on('config', refresh);
    computer.on('inputs', refresh);
    computer.on('tools', () => {
      refresh();
      this.#send('tools', { count: computer.tools().length });
    });
    computer.on('desktop', () => this.#send('desktop', {}));
    computer.on('step', (call) => {
      this.#calls.set(call);
      if (call.sentAt === undefined || call.answeredAt !== undefined) refresh();
    });
    computer.on('output', ({ server }) => this.#logs.changed(server));
    computer.on('log', ({ server, level, text }) => this.#logs.add(server, `${level}: ${text}`));
    computer.on('warning', ({ server, message }) => this.#logs.add(server, message));
    computer.on('call', ({ record, result }) => this.#keep(record, result));
    this.handlers = { ...this.#handlers, ...(computer.hasPins && this.#pinHandlers) };
    this.#refreshNow();
  }

  /** Shows the connection to the Server. Call it again when the Computer connects elsewhere. */
  watchLink(link: OfficeLink): void {
    this.#link = link;
    const send = () => this.#send('computer', this.#present());
    link.on('state', send);
    link.on('office', send);
    send();
  }

  follow(send: (...event: OperatorEvent) => void): () => void {
    this.#refreshNow();
    send('computer', this.#present());
    send('tools', { count: this.#computer.tools().length });
    this.#followers.add(send);
    const stops = [
      this.#servers.follow((change) => send('servers', change)),
      this.#inputs.follow((change) => send('inputs', change)),
      this.#questions.list.follow((change) => send('questions', change)),
      this.#questions.allowed.follow((change) => send('allowed', change)),
      this.#calls.follow((change) => send('executed', change)),
      () => void this.#followers.delete(send),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  readonly #handlers: OperatorHandlers = {
    servers: () => {
      this.#refreshNow();
      return {
        computer: this.#present(),
        servers: this.#servers.items,
        inputs: this.#inputs.items,
        questions: this.#questions.list.items,
        allowed: this.#questions.allowed.items,
      };
    },
    server: ({ server }) => this.#detail(server),
    'start-server': ({ server }) => this.#change(server, () => this.#computer.startServer(server)),
    'stop-server': ({ server }) => this.#change(server, () => this.#computer.stopServer(server)),
    'restart-server': ({ server }) => this.#change(server, () => this.#computer.restartServer(server)),
    'save-server': (request) => this.#save(request),
    'remove-server': ({ server }) => this.#change(server, () => this.#computer.removeServer(server)),
    login: ({ server }) => (this.#config(server) ? this.#logIn(server) : undefined),
    'set-input': ({ input, value }) => this.#setInput(input, value),
    'clear-input': ({ input }) => {
      if (!this.#inputs.get(input)) return undefined;
      this.#computer.removeInputValue(input);
      return {};
    },
    question: ({ id }) => this.#questions.get(id),
    answer: ({ id, answer }) => (this.#questions.answer(id, answer) ? {} : undefined),
    'revoke-consent': (tool) => (this.#questions.revoke(tool) ? {} : undefined),
    tools: ({ query }) => this.#tools(query),
    tool: ({ server, tool }) => this.#tool(server, tool),
    'run-tool': (request, caller) => this.#run(request, caller),
    call: ({ id }) => {
      const executed = this.#calls.get(id);
      if (!executed) return undefined;
      const { reqId, agent } = executed;
      return { executed, ...this.#records.get(JSON.stringify([agent, reqId])) };
    },
    cancel: ({ id }) => {
      const call = this.#calls.get(id);
      if (!call) return undefined;
      const { reqId, agent, office } = call;
      this.#computer.cancel(reqId, { ...(agent !== null && { agent }), ...(office !== null && { office }) });
      return {};
    },
    desktop: async () => ({ windows: (await this.#computer.windows()).map(windowView) }),
    context: () => this.#options.tools.context(),
  };

  /** Offered where changed tools need approval. */
  readonly #pinHandlers: OperatorHandlers = {
    'approve-tools': async ({ server, tools }) => {
      const cut = new Set((await this.#computer.toolChanges(server)).filter(({ isCut }) => isCut).map(({ id }) => id));
      if (tools.some(({ id }) => cut.has(id))) {
        const command = a2cCommand('tools review --full');
        throw new SMCPError('BadRequest', `the text is too long to be shown here in full; review it by: ${command}`);
      }
      const approved = await this.#computer.approveTools(tools.map((seen) => ({ server, ...seen })));
      this.#refreshNow();
      if (approved.length === tools.length) return {};
      throw new SMCPError('BadRequest', 'the server has changed its tools again; review the changes as they are now');
    },
  };

  /** The history of the Computer keeps fewer calls than are shown here, and no results. */
  #keep({ agent, req_id, parameters, error }: ToolCallRecord, { content }: CallToolResult): void {
    const full = content.map(({ type, text }) => (typeof text === 'string' ? text : `[${type}]`)).join('\n');
    // Secrets are removed from more than is shown, because the end may be a part of one.
    const text = this.#computer.redactLog(full.slice(0, 2 * SHOWN_RESULT)).slice(0, SHOWN_RESULT);
    const result = { text, isCut: full.length > SHOWN_RESULT };
    // A failure of the call itself is in `executed`, in English.
    this.#records.set(JSON.stringify([agent, req_id]), { arguments: parameters, ...(error === null && { result }) });
    for (const oldest of this.#records.keys()) {
      if (this.#records.size <= KEPT_CALLS) break;
      this.#records.delete(oldest);
    }
  }

  #present(): OperatorComputer {
    const { name } = this.#computer;
    const { url, office = null, state = 'disconnected' } = this.#link ?? {};
    return { name, url: url?.origin ?? null, office, state };
  }

  #send(...event: OperatorEvent): void {
    for (const send of this.#followers) send(...event);
  }

  #refreshNow(): void {
    clearTimeout(this.#refresh);
    this.#refresh = undefined;
    this.#servers.replace(this.#computer.status().map((status) => this.#view(status)));
    this.#inputs.replace(inputViews(this.#computer));
  }

  #view(status: ServerStatus): OperatorServer {
    const { transport } = this.#config(status.name) ?? {};
    const account = transport && 'oauth' in transport ? transport.oauth?.account : undefined;
    return serverView(status, this.#logins.get(status.name), account);
  }

  #config(server: string) {
    return this.#computer.servers().find(({ name }) => name === server);
  }

  async #detail(server: string): Promise<OperatorServerDetail | undefined> {
    const status = this.#computer.status().find(({ name }) => name === server);
    const config = this.#config(server);
    if (!status || !config) return undefined;
    const log = [status.diagnostics?.stderr ?? '', ...this.#logs.linesOf(server)].filter((text) => text !== '');
    const changes = await this.#computer.toolChanges(server);
    return {
      ...this.#view(status),
      ...(changes.length > 0 && { changes: changes.map(({ tool, id, diff }) => ({ tool, id, diff })) }),
      log: this.#computer.redactLog(log.join('\n')),
      config: configText(config),
      instructions: status.instructions,
    };
  }

  async #change(server: string, change: () => Promise<void>): Promise<object | undefined> {
    if (!this.#config(server)) return undefined;
    await explained(change());
    this.#refreshNow();
    return {};
  }

  async #save({ text, server }: OperatorParameters<'save-server'>) {
    const edited = server === undefined ? undefined : this.#config(server);
    if (server !== undefined && !edited) return undefined;
    const { servers, warnings } = readEdited(text, edited);
    const taken = servers.find(({ name }) => !edited && this.#config(name));
    if (taken) throw new SMCPError('BadRequest', `a server named "${taken.name}" exists; edit it, or use another name`);
    if (edited) {
      for (const config of servers) await explained(this.#computer.addOrUpdateServer(config));
      this.#refreshNow();
      return { servers: [edited.name], warnings, refused: [] };
    }
    const refused: { readonly server: string; readonly reason: string }[] = [];
    const adding = servers.map((config) =>
      explained(this.#computer.addOrUpdateServer(config, { sharesToolNames: true })).catch((error: Error) => {
        refused.push({ server: config.name, reason: error.message });
      }),
    );
    await Promise.all(adding);
    this.#refreshNow();
    const added = servers.map(({ name }) => name).filter((name) => !refused.some(({ server }) => server === name));
    if (added.length === 0) throw new SMCPError('BadRequest', refused.map(({ reason }) => reason).join('\n'));
    return { servers: added, warnings: [...warnings, ...this.#sharedNames(added)], refused };
  }

  #sharedNames(servers: readonly string[]): string[] {
    return this.#computer
      .status()
      .filter(({ name, conflicts }) => servers.includes(name) && conflicts.length > 0)
      .map(({ name, conflicts: [first = '', ...more] }) => {
        const others = more.length > 0 ? `, and ${more.length} more` : '';
        return `another server has tools of the same names: listed as "${name}.${first}"${others}`;
      });
  }

  /** Starts the servers that failed for lack of this value. */
  #setInput(input: string, value: string): object | undefined {
    const view = this.#inputs.get(input);
    if (!view) return undefined;
    const values = view.options?.map((option) => option.value);
    if (values && !values.includes(value)) {
      throw new SMCPError('BadRequest', `the value must be one of ${values.join(', ')}`);
    }
    this.#computer.setInputValue(input, value);
    for (const server of view.servers) {
      const isFailed = this.#servers.get(server)?.state === 'failed';
      // A failure is in the status of the server.
      if (isFailed) this.#computer.startServer(server).catch(() => {});
    }
    return {};
  }

  /** Resolves with the page on which the person logs in. The server connects by itself afterwards. */
  #logIn(server: string): Promise<OperatorLogin> {
    const pending = this.#logins.get(server);
    if (pending) return Promise.resolve(pending);
    const changed = (login: OperatorLogin | undefined) => {
      if (login) this.#logins.set(server, login);
      else this.#logins.delete(server);
      this.#refreshNow();
    };
    return new Promise((resolve, reject) => {
      const onUrl = ({ url }: { readonly url: string }) => {
        const login: OperatorLogin = { state: 'pending', url };
        changed(login);
        resolve(login);
      };
      this.#computer.login(server, { onUrl }).then(
        () => {
          changed(undefined);
          resolve({ state: 'done' });
        },
        (error: Error) => {
          changed(undefined);
          this.#logs.add(server, error.message);
          reject(new SMCPError('BadRequest', error.message));
        },
      );
    });
  }

  async #tools(query: string | undefined) {
    const all = this.#computer.tools();
    if (!query?.trim()) return { tools: all.map(toolView), total: all.length };
    const byName = new Map(all.map((tool) => [JSON.stringify([tool.server, tool.displayName]), tool]));
    const hits = await this.#options.tools.search(query);
    const found = hits.flatMap(({ server, tool }) => byName.get(JSON.stringify([server, tool])) ?? []);
    return { tools: found.map(toolView), total: all.length };
  }

  #find(server: string, name: string): AvailableTool | undefined {
    return this.#computer.tools().find((tool) => tool.server === server && tool.displayName === name);
  }

  #tool(server: string, name: string): OperatorToolDetail | undefined {
    const found = this.#find(server, name);
    if (!found) return undefined;
    const { tool, meta } = found;
    const { typeOf, copy } = this.#options.tools;
    const inputSchema = tool.inputSchema as Schema;
    return {
      ...toolView(found),
      description: String(tool.description ?? ''),
      inputSchema,
      type: typeOf(inputSchema),
      ...(tool.outputSchema && { outputType: typeOf(tool.outputSchema as Schema) }),
      autoApply: meta?.auto_apply === true,
      copy: copy(found),
    };
  }

  async #run(
    { id, server, tool, arguments: parameters, timeout, stream }: OperatorParameters<'run-tool'>,
    { subject, send }: OperatorCaller,
  ): Promise<CallToolResult | { readonly id: string } | undefined> {
    if (!this.#find(server, tool)) return undefined;
    const result = this.#computer.executeTool(id, tool, parameters, {
      timeout,
      approvedBy: subject,
      onProgress: (progress) => this.#send('progress', { ...progress, id }),
    });
    if (stream === undefined) return result;
    void result.then((ended) =>
      send(stream, 'result', { id, ...(jsonBytes(ended) <= MAX_EVENT_BYTES && { result: ended }) }),
    );
    return { id };
  }
}

/** A failure of the hub is an answer that operators can read. The Computer has removed secrets from it. */
async function explained(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (error instanceof HubError) throw new SMCPError('BadRequest', error.message);
    throw error;
  }
}

type Schema = Readonly<Record<string, unknown>>;

function windowView({ server, resource, contents }: Window): OperatorWindow {
  const { uri } = resource;
  const { name, title, mimeType } = resource as { name?: unknown; title?: unknown; mimeType?: unknown };
  const blob = contents.find((content) => content.blob !== undefined)?.blob;
  const text = contents.flatMap((content) => content.text ?? []).join('\n');
  return {
    server,
    uri,
    title: [title, name, uri].find((each): each is string => typeof each === 'string') ?? uri,
    priority: windowMetadata(resource).priority,
    ...(typeof mimeType === 'string' && { mimeType }),
    ...(blob === undefined ? { text } : { blob }),
  };
}
