import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client';

/** The versions of MCP that the hub supports, newest first. */
export const MCP_VERSIONS: readonly string[] = ['2026-07-28', ...SUPPORTED_PROTOCOL_VERSIONS];
