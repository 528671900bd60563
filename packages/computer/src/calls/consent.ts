import type { JsonObject } from '@a2c/config';
import { type AvailableTool, type ConsentHandler, HubError, type ListedTool } from '@a2c/hub';
import { type AgentScope, type CallOptions, fullNames, isPermitted, isToolPermitted } from '@a2c/protocol';

/** A tool call that needs a person's approval. */
export interface ConfirmRequest {
  readonly reqId: string;
  /** The Agent that calls; null for a local call. */
  readonly agent: string | null;
  readonly server: string;
  /** The bundle id of the server. */
  readonly bundleId: string;
  /** The server's own name of the tool. */
  readonly tool: string;
  /** The name under which the tool is listed: its alias, or its name. */
  readonly displayName: string;
  readonly parameters: JsonObject;
  /** The tool as its server describes it, with hints such as `readOnlyHint` in `annotations`. */
  readonly description: ListedTool;
  /** Aborted when the call times out or is cancelled. */
  readonly signal: AbortSignal;
}

/** Returns true to let the call run. Throw a `TimeoutError` if the person did not answer in time. */
export type ConfirmCallback = (request: ConfirmRequest) => boolean | Promise<boolean>;

/**
 * What an answer for all later calls applies to: the tool as its server describes it now. A changed tool is another
 * one, so the person is asked again. Pins mark a changed tool in its description, also where they show the approved
 * text.
 */
export function consentKey({ server, tool, description }: ConfirmRequest): string {
  return JSON.stringify([server, tool, description]);
}

interface Caller {
  readonly reqId: string;
  readonly agent: string | null;
  /** Reports to the caller that a person is asked. */
  readonly onProgress?: CallOptions['onProgress'];
}

/** An answer that needs longer is reported as progress. Callbacks that ask no person answer at once. */
const NOTICE_MS = 200;

/** All names of a tool and of its MCP server. */
export type ToolNames = Pick<
  AvailableTool,
  'name' | 'displayName' | 'exposedName' | 'server' | 'bundleId' | 'foreignNames'
>;

/** Whether the scope of an Agent includes a tool, by any of its names. */
export function isInScope({ tools, servers }: AgentScope, tool: ToolNames): boolean {
  if (tools === undefined && servers === undefined) return true;
  const { name, displayName, exposedName, server, bundleId, foreignNames = [] } = tool;
  const names = [name, displayName, exposedName, ...fullNames([server, bundleId], [name, displayName])];
  const ownNames = names.filter((each) => !foreignNames.includes(each));
  return isToolPermitted(tools, names, ownNames) && isPermitted(servers, server, bundleId);
}

/** Refuses a tool outside the scope of the caller, before anybody is asked. */
export function checkScope(scope: AgentScope | undefined, tool: AvailableTool): void {
  if (!scope || isInScope(scope, tool)) return;
  const message = `the caller may not use the tool "${tool.displayName}"`;
  throw new HubError('forbidden-tool', message, { server: tool.server, tool: tool.name });
}

/** Asks the person at the Computer. */
export function askUser(
  confirm: ConfirmCallback | 'deny' | undefined,
  { reqId, agent, onProgress }: Caller,
): ConsentHandler {
  return async ({ tool, arguments: parameters, signal }) => {
    const { server, bundleId, name, displayName } = tool;
    if (confirm === 'deny') {
      const message = `the tool "${displayName}" needs consent, and this Computer denies such calls without asking`;
      throw new HubError('consent-disabled', message, { server, tool: name });
    }
    if (!confirm) {
      const message = `the tool "${displayName}" needs consent, and this Computer has no confirm callback`;
      throw new HubError('consent-unavailable', message, { server, tool: name });
    }
    const asked = { server, bundleId, tool: name, displayName, parameters, description: tool.tool };
    const report = () => onProgress?.({ progress: 0, message: 'waiting for consent of the user of the Computer' });
    const timer = setTimeout(report, NOTICE_MS);
    try {
      return (await confirm({ reqId, agent, ...asked, signal })) === true;
    } finally {
      clearTimeout(timer);
    }
  };
}
