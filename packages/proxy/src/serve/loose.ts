import { isInputRequiredResult, Server } from '@modelcontextprotocol/server';

/** A result schema that admits everything: what a client answers is for the asking server to judge. */
export const looseResult = {
  '~standard': {
    version: 1 as const,
    vendor: 'a2c',
    validate: (value: unknown) => ({ value }),
  },
};

type WrapHandler = Server['_wrapHandler'];

/**
 * A server that lets results of tools through as they are. The SDK checks what a tool returns and fails the call over a content
 * block it does not know; a proxy has to pass on what tomorrow's servers send to tomorrow's clients.
 */
export class LooseServer extends Server {
  protected override _wrapHandler(...[method, handler]: Parameters<WrapHandler>): ReturnType<WrapHandler> {
    if (method !== 'tools/call') return super._wrapHandler(method, handler);
    return async (request, ctx) => {
      let result: Awaited<ReturnType<typeof handler>> | undefined;
      const checked = super._wrapHandler(method, async (...args) => {
        result = await handler(...args);
        return isInputRequiredResult(result) ? result : { content: [] };
      });
      const answer = await checked(request, ctx);
      return isInputRequiredResult(answer) ? answer : (result ?? answer);
    };
  }
}
