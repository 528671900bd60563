export {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  startAuthorizationServer,
} from './authorization-server.js';
export { type NotesServer, type NotesServerOptions, startNotesServer } from './notes-server.js';
export { approve, approveDevice } from './person.js';
