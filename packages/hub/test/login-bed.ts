import { Vault } from '@a2c/login';
import {
  type AuthorizationServerOptions,
  type NotesServerOptions,
  startAuthorizationServer,
  startNotesServer,
} from '@a2c/test-authorization-server';
import { onTestFinished } from 'vitest';
import { server, temporaryFolder } from './hub.js';

/** An authorization server, an MCP server behind it, and an empty vault. */
export async function bed(options: AuthorizationServerOptions = {}, notesOptions: NotesServerOptions = {}) {
  const authorization = await startAuthorizationServer(options);
  const notes = await startNotesServer(authorization, notesOptions);
  const folder = await temporaryFolder();
  onTestFinished(async () => {
    await notes.close();
    await authorization.close();
  });
  return {
    authorization,
    notes,
    folder,
    /** The vault as another process would open it. */
    vault: () => new Vault(folder, 'file'),
    config: (oauth?: object, name = 'notes') =>
      server(name, { type: 'streamable', server_parameters: { url: notes.url, ...(oauth && { oauth }) } }),
  };
}
