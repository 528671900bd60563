declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Token {
    readonly aud?: string | readonly string[];
    readonly scope?: string;
    readonly jkt?: string;
  }
  interface Grant {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }
  interface Interaction {
    readonly uid: string;
    readonly grantId?: string;
    readonly prompt: { readonly name: string };
    readonly params: Readonly<Record<string, string>>;
  }
  export interface TokenContext {
    readonly oidc: { readonly params: Readonly<Record<string, string>> };
  }
  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly ClientCredentials: { find(token: string): Promise<Token | undefined> };
    readonly AccessToken: { find(token: string): Promise<Token | undefined> };
    readonly Grant: { new (fields: object): Grant; find(id: string): Promise<Grant | undefined> };
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
    on(event: string, listener: (ctx: TokenContext, error?: Error) => void): this;
    use(
      middleware: (ctx: TokenContext & { path: string; method: string }, next: () => Promise<void>) => Promise<void>,
    ): this;
  }
  export default Provider;
}
