import type { JsonObject } from '@a2c/config';
import { HubError, type MCPServerManager } from '@a2c/hub';
import { type A2CResource, isRecord, SMCPError } from '@a2c/protocol';

/** One page of the resources of an MCP server. */
export interface ResourcePage {
  readonly resources: readonly A2CResource[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/** Resources of the MCP servers of a Computer, as Agents address them: by bundle id or name. */
export class Resources {
  readonly #manager: MCPServerManager;

  constructor(manager: MCPServerManager) {
    this.#manager = manager;
  }

  /** Lists one page, unfiltered. */
  async list(serverOrId: string, cursor?: string): Promise<ResourcePage> {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await this.#request(serverOrId, 'resources/list', params);
    const listed = Array.isArray(answer.resources) ? answer.resources : [];
    const { nextCursor } = answer;
    return {
      resources: listed.flatMap(toWireResource),
      ...(typeof nextCursor === 'string' && nextCursor !== '' && { nextCursor }),
    };
  }

  /** Reads the contents of a resource. */
  async read(serverOrId: string, uri: string): Promise<readonly JsonObject[]> {
    const { contents } = await this.#request(serverOrId, 'resources/read', { uri });
    return (Array.isArray(contents) ? contents.filter(isRecord) : []) as JsonObject[];
  }

  async #request(serverOrId: string, method: string, params: JsonObject): Promise<JsonObject> {
    const server = this.#manager.serverName(serverOrId);
    const status = this.#manager.statusOf(server);
    const details = { mcp_server: serverOrId };
    if (status?.state !== 'connected')
      throw new SMCPError('MCPServerNotFound', 'MCP Server not registered', { details });
    if (!status.capabilities?.resources) {
      const message = "MCP Server does not support 'resources' capability";
      throw new SMCPError('CapabilityNotSupported', message, { details: { ...details, capability: 'resources' } });
    }
    try {
      return await this.#manager.request(server, method, params);
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      if (error.kind === 'upstream') throw new SMCPError('NotFound', error.message, { details });
      throw new SMCPError('MCPServerNotFound', `the MCP server did not answer: ${error.message}`, { details });
    }
  }
}

/** Snake case, and no field that is not known: published Servers drop a list with a null in it. */
function toWireResource(resource: unknown): A2CResource[] {
  if (!isRecord(resource) || typeof resource.uri !== 'string') return [];
  const { uri, name, description, mimeType, size, annotations, _meta } = resource;
  return [
    {
      uri,
      name: typeof name === 'string' ? name : uri,
      ...(typeof description === 'string' && { description }),
      ...(typeof mimeType === 'string' && { mime_type: mimeType }),
      ...(typeof size === 'number' && { size }),
      ...(isRecord(annotations) && { annotations: toWireAnnotations(annotations) }),
      ...(isRecord(_meta) && { _meta }),
    },
  ];
}

function toWireAnnotations({ audience, priority, lastModified }: Record<string, unknown>) {
  return {
    ...(Array.isArray(audience) && { audience: audience.filter((item) => typeof item === 'string') }),
    ...(typeof priority === 'number' && { priority }),
    ...(typeof lastModified === 'string' && { last_modified: lastModified }),
  };
}
