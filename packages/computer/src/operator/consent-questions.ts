import { randomUUID } from 'node:crypto';
import { LiveList, type OperatorAllowedTool, type OperatorQuestion } from '@a2c/protocol';
import { type ConfirmCallback, type ConfirmRequest, consentKey } from '../calls/consent.js';
import { jsonBytes } from '../calls/json-bytes.js';
import { hintsOf } from './tool-view.js';

/**
 * The answer to a question. `always` applies to the tool, as long as it does not change, until the process ends;
 * `deny-all` to all questions that the same Agent waits for.
 */
export type ConsentAnswer = 'allow' | 'deny' | 'deny-all' | 'always';

/** Lists and events contain at most this much of the arguments and of the description. */
const SHOWN_LENGTH = 4_096;

interface PendingQuestion {
  readonly key: string;
  readonly question: OperatorQuestion;
  readonly settle: (isAllowed: boolean) => void;
}

/** Asks for consent in the operator interface: every call that waits is a question, which any operator can answer. */
export class ConsentQuestions {
  readonly list = new LiveList<OperatorQuestion>({ id: ({ id }) => id });
  /** The tools that run without a question. */
  readonly allowed = new LiveList<OperatorAllowedTool>({ id: allowedId });
  readonly #pending = new Map<string, PendingQuestion>();
  /** The key of the tool as it was when a person allowed it, by its id in `allowed`. */
  readonly #always = new Map<string, string>();
  readonly #onQuestion: (question: OperatorQuestion) => void;

  /** @param onQuestion called with every new question, to inform a person who has no page open */
  constructor(onQuestion: (question: OperatorQuestion) => void = () => {}) {
    this.#onQuestion = onQuestion;
  }

  /** Whether the tool of a call runs without a question. */
  isAllowed(request: ConfirmRequest): boolean {
    return this.#always.get(allowedId(request)) === consentKey(request);
  }

  /** The `confirm` callback of a Computer. */
  readonly confirm: ConfirmCallback = (request) => {
    if (this.isAllowed(request)) return true;
    const key = consentKey(request);
    const question = questionOf(request);
    const { id } = question;
    const { signal } = request;
    return new Promise<boolean>((resolve) => {
      const settle = (isAllowed: boolean) => {
        signal.removeEventListener('abort', expire);
        this.#pending.delete(id);
        this.list.remove(id);
        resolve(isAllowed);
      };
      const expire = () => settle(false);
      this.#pending.set(id, { key, question, settle });
      signal.addEventListener('abort', expire, { once: true });
      this.list.set(withoutLargeArguments(question));
      if (signal.aborted) expire();
      else this.#onQuestion(question);
    });
  };

  /** A question with all arguments; undefined if it was answered already, or its call has ended. */
  get(id: string): OperatorQuestion | undefined {
    return this.#pending.get(id)?.question;
  }

  /** Returns false if the question was answered already, or its call has ended. */
  answer(id: string, answer: ConsentAnswer): boolean {
    const question = this.#pending.get(id);
    if (!question) return false;
    if (answer === 'always') {
      const { server, tool } = question.question;
      this.#always.set(allowedId({ server, tool }), question.key);
      this.allowed.set({ server, tool, since: new Date().toISOString() });
    }
    if (answer === 'deny-all') this.#denyAll(question.question.agent);
    else question.settle(answer !== 'deny');
    return true;
  }

  #denyAll(agent: string | null): void {
    for (const { question, settle } of [...this.#pending.values()]) if (question.agent === agent) settle(false);
  }

  /** Asks again before the next call of a tool. Returns false if it was not always allowed. */
  revoke(tool: Pick<OperatorAllowedTool, 'server' | 'tool'>): boolean {
    this.allowed.remove(allowedId(tool));
    return this.#always.delete(allowedId(tool));
  }
}

function allowedId({ server, tool }: Pick<OperatorAllowedTool, 'server' | 'tool'>): string {
  return JSON.stringify([server, tool]);
}

function questionOf({ agent, server, tool, parameters, description }: ConfirmRequest): OperatorQuestion {
  return {
    id: randomUUID(),
    agent,
    server,
    tool,
    description: String(description.description ?? '').slice(0, SHOWN_LENGTH),
    arguments: parameters,
    hints: hintsOf(description.annotations),
    askedAt: new Date().toISOString(),
  };
}

function withoutLargeArguments({ arguments: args = {}, ...question }: OperatorQuestion): OperatorQuestion {
  const bytes = jsonBytes(args);
  if (bytes <= SHOWN_LENGTH) return { ...question, arguments: args };
  return { ...question, largeArguments: { start: JSON.stringify(args).slice(0, SHOWN_LENGTH), bytes } };
}
