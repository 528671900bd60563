import type { ToolboxTool } from '../toolbox.js';
import type { Vocabulary } from './vocabulary/groups.js';
import { wordsOf } from './words.js';

/** What a tool does to the things it is about, or what somebody who asks for a tool wants to do. */
export type Intent = 'read' | 'create' | 'update' | 'delete';

/** The words of tool names that state an intent. */
const VERBS: Readonly<Record<Intent, string>> = {
  read: `get list fetch read show view find search query describe retrieve lookup check count inspect explain compare diff
    summary status details info stats log history`,
  create: 'create add insert new make generate append register install',
  update: 'update edit modify patch set rename change replace move transfer configure',
  delete: 'delete remove drop clear wipe erase uninstall purge unregister revoke terminate destroy kick',
};

const INTENT_OF = new Map(
  Object.entries(VERBS).flatMap(([intent, verbs]) => wordsOf(verbs).map((verb) => [verb, intent as Intent] as const)),
);

/** How questions start that ask for a list or for information. */
const QUESTION =
  /^\W*(?:(?:and|so|please|tell me|show me|i wonder|do you know)\W+)*(?:which|what|who|whose|where|when|why|how (?:many|much|big|large|long|far|often|old|is|are|did|does|was|well|fast)|is|are|was|were|does|did|has|have)\b|(?:吗|呢|哪些|哪个|哪里|多少|什么|谁|是否)/iu;
/** "How do I …" and "what must I do to …" ask for an action. */
const HOW_TO = /^\W*(?:how (?:do|can|could|should|to)|what (?:do|must|should) (?:i|we) (?:have to )?do)\b/iu;

/** What the query asks for, as far as it is clear: by the form of a question, or by its first verb. */
export function intentOfQuery(query: string, terms: readonly string[], { synonyms }: Vocabulary): Intent | undefined {
  if (QUESTION.test(query) && !HOW_TO.test(query)) return 'read';
  for (const term of terms) {
    const own = INTENT_OF.get(term);
    if (own) return own;
    for (const [synonym, closeness] of synonyms.of(term)) {
      const intent = closeness > 0.5 ? INTENT_OF.get(synonym) : undefined;
      if (intent) return intent;
    }
  }
  return undefined;
}

/** What the tool does, by its name, the beginning of its description, or its annotations. */
export function intentOfTool(tool: ToolboxTool): Intent | undefined {
  for (const word of wordsOf(tool.name)) {
    const intent = INTENT_OF.get(word);
    if (intent) return intent;
  }
  const [first = ''] = wordsOf((tool.description ?? '').slice(0, 40));
  return INTENT_OF.get(first) ?? (tool.annotations?.readOnlyHint === true ? 'read' : undefined);
}
