import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client';

/** The versions of MCP that servers may speak, newest first: the one without sessions, and all those with `initialize`. */
export const MCP_VERSIONS: readonly string[] = ['2026-07-28', ...SUPPORTED_PROTOCOL_VERSIONS];
