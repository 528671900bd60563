import { type ClientCapabilities, MissingRequiredClientCapabilityError } from '@modelcontextprotocol/server';
import type { Ask, Question } from '../toolbox.js';

/** Whether a client said that it can answer such a question. */
export function canAnswer({ method, params }: Question, capabilities: ClientCapabilities | undefined): boolean {
  switch (method) {
    case 'elicitation/create':
      return canElicit(params?.mode === 'url' ? 'url' : 'form', capabilities);
    case 'sampling/createMessage':
      return capabilities?.sampling !== undefined;
    case 'roots/list':
      return capabilities?.roots !== undefined;
  }
}

/** A bare `elicitation: {}` is what clients said before there were modes, and means forms. */
export function canElicit(mode: 'form' | 'url', capabilities: ClientCapabilities | undefined): boolean {
  const declared = capabilities?.elicitation;
  if (!declared) return false;
  if (mode === 'url') return declared.url !== undefined;
  return declared.form !== undefined || declared.url === undefined;
}

/** Questions a client cannot answer are answered for it, so that the server goes on at once instead of waiting. */
export function guarded(ask: Ask, capabilities: ClientCapabilities | undefined): Ask {
  return async (question) => {
    if (canAnswer(question, capabilities)) return ask(question);
    if (question.method === 'elicitation/create') return { action: 'cancel' };
    throw cannotAnswer(question.method);
  };
}

/** Told to the server, which tells it to the client: the one code both generations have for it. */
function cannotAnswer(method: 'sampling/createMessage' | 'roots/list'): Error {
  const requiredCapabilities = method === 'roots/list' ? { roots: {} } : { sampling: {} };
  return new MissingRequiredClientCapabilityError({ requiredCapabilities }, `The client cannot answer ${method}`);
}
