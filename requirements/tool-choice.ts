import type { Ledger } from './requirement.js';

/** Tool choice: how a model finds the right one of many tools, cheaply and safely. */
export const toolChoice = {
  document: 'tool choice',
  requirements: {
    'CHOICE-SEARCH-01': {
      section: 'search',
      behaviour:
        'A paraphrase finds its tool: synonyms, word forms, phrases, compounds, misspelt words, and some words of what people say for the tool.',
      owedBy: ['proxy'],
    },
    'CHOICE-SEARCH-02': {
      section: 'search',
      behaviour: 'A Chinese query finds English tools, and an English query finds Chinese ones.',
      owedBy: ['proxy'],
    },
    'CHOICE-SEARCH-03': {
      section: 'search',
      behaviour: 'Parameters, enum values and servers are searched, with weights by field, in a stable order.',
      owedBy: ['proxy'],
    },
    'CHOICE-SEARCH-04': {
      section: 'search',
      behaviour: 'A query that matches nothing shows the servers and what they are about.',
      owedBy: ['proxy'],
    },
    'CHOICE-SEARCH-05': {
      section: 'search',
      behaviour:
        'An embeddings endpoint of the user is fused with the lexical ranks, within a time limit; without its answer the lexical ranks decide.',
      owedBy: ['proxy'],
    },
    'CHOICE-SEARCH-06': {
      section: 'search',
      behaviour:
        'A question prefers tools that read, an order those that do what it says, and a named server its own tools; similar tools of one server do not fill the first places, and a name with further words comes later.',
      owedBy: ['proxy'],
    },
    'CHOICE-SEARCH-07': {
      section: 'search',
      behaviour:
        'Texts of tools are searched up to a limit, and a query is limited in length, words and unknown words, so that neither makes the search slow.',
      owedBy: ['proxy'],
    },
    'CHOICE-INSPECT-01': {
      section: 'inspect',
      behaviour: 'The structured content follows the detail and costs at most twice the text.',
      owedBy: ['proxy'],
    },
    'CHOICE-INSPECT-02': {
      section: 'inspect',
      behaviour:
        'Comments contain bounds, patterns and formats inside nullable unions and items, uniqueness, dependent properties, and descriptions of branches and definitions.',
      owedBy: ['proxy'],
    },
    'CHOICE-INSPECT-03': {
      section: 'inspect',
      behaviour: 'A required parameter with a default is optional for the caller, in types and in argument checks.',
      owedBy: ['proxy', 'hub'],
    },
    'CHOICE-RESULT-01': {
      section: 'results',
      behaviour: 'A text that is exactly JSON is shown in the shortest form, unless the tool reads files as they are.',
      owedBy: ['proxy'],
    },
    'CHOICE-RESULT-02': {
      section: 'results',
      behaviour: 'Blocks with one item each are one list; structured content is never added beside other content.',
      owedBy: ['proxy'],
    },
    'CHOICE-RESULT-03': {
      section: 'results',
      behaviour:
        'Structured content that the text repeats is recognised in any wrapping and order; without structured content nothing is lost.',
      owedBy: ['proxy'],
    },
    'CHOICE-RESULT-04': {
      section: 'results',
      behaviour: 'A result never costs more tokens than compact JSON, and is lossless.',
      owedBy: ['proxy'],
    },
    'CHOICE-STABLE-01': {
      section: 'stable lists',
      behaviour: 'A server that fails and restarts does not change the description of inspect.',
      owedBy: ['proxy'],
    },
    'CHOICE-STABLE-02': {
      section: 'stable lists',
      behaviour: 'Servers shown only as a count show the subjects of their tools, within the budget.',
      owedBy: ['proxy'],
    },
    'CHOICE-STABLE-04': {
      section: 'stable lists',
      behaviour: 'The line of a changed tool has a short mark, and keeps its description; the search ignores the mark.',
      owedBy: ['proxy'],
    },
    'CHOICE-STABLE-03': {
      section: 'stable lists',
      behaviour: 'The first list of tools waits a little for servers that are starting, and for skills.',
      owedBy: ['proxy', 'cli'],
    },
    'CHOICE-REACH-01': {
      section: 'reach',
      behaviour: 'inspect lists and reads resources and prompts of the servers, also links in results.',
      owedBy: ['proxy'],
    },
    'CHOICE-REACH-02': {
      section: 'reach',
      behaviour: 'query runs only tools that declare that they only read, and is marked so for clients.',
      owedBy: ['proxy'],
    },
    'CHOICE-REACH-03': {
      section: 'reach',
      behaviour: 'Tools that are not allowed, or denied, are neither listed nor called.',
      owedBy: ['proxy', 'cli'],
    },
    'CHOICE-REACH-04': {
      section: 'reach',
      behaviour: 'A pattern that names no server, tool or skill is reported once no server is starting any more.',
      owedBy: ['cli'],
    },
    'CHOICE-SETS-01': {
      section: 'toolsets',
      behaviour: 'Pinned tools are listed with their schemas beside the two tools, and called directly.',
      owedBy: ['proxy'],
    },
    'CHOICE-SETS-02': {
      section: 'toolsets',
      behaviour:
        'A named toolset of the configuration chooses servers and tools; over HTTP each client chooses one by path or header.',
      owedBy: ['cli', 'proxy'],
    },
    'CHOICE-SETS-03': {
      section: 'toolsets',
      behaviour: 'The mode auto shows few tools directly and many behind the two tools.',
      owedBy: ['proxy'],
    },
    'CHOICE-PINS-01': {
      section: 'pins',
      behaviour:
        'The tools of the first use are approved. A changed tool keeps its approved text and schema, and is marked, until a person approves the change; new tools are not listed.',
      owedBy: ['hub'],
    },
    'CHOICE-PINS-02': {
      section: 'pins',
      behaviour: 'Another order of keys, white space and a new version of the server are no change.',
      owedBy: ['hub'],
    },
    'CHOICE-PINS-03': {
      section: 'pins',
      behaviour: 'A person sees a readable diff and approves a tool or a server; running processes apply it.',
      owedBy: ['hub', 'cli'],
    },
    'CHOICE-PINS-04': {
      section: 'pins',
      behaviour: 'Texts with hidden characters, escape sequences or instructions to the model are marked.',
      owedBy: ['hub'],
    },
    'CHOICE-PINS-06': {
      section: 'pins',
      behaviour: 'A server has its own choice of pins; its instructions are compared and approved like a tool.',
      owedBy: ['config', 'hub'],
    },
    'CHOICE-PINS-05': {
      section: 'pins',
      behaviour: 'With the mode warn, changes are shown and reported; without pins nothing is stored.',
      owedBy: ['hub', 'cli'],
    },
    'CHOICE-PINS-07': {
      section: 'pins',
      behaviour:
        'The id of a review has 128 bits, so that a server cannot send one text for the review and another with the same id for the approval.',
      owedBy: ['cli'],
    },
    'CHOICE-PINS-09': {
      section: 'pins',
      behaviour:
        'The id that approves a change is printed only if the whole new text was shown, which --full does for long ones.',
      owedBy: ['cli'],
    },
    'CHOICE-PINS-13': {
      section: 'pins',
      behaviour:
        'An id that `tools approve SERVER TOOL` prints approves only the change of that tool, which it showed.',
      owedBy: ['cli'],
    },
    'CHOICE-PINS-14': {
      section: 'pins',
      behaviour: 'A question for consent says that the tool has changed since it was approved.',
      owedBy: ['cli', 'proxy'],
    },
    'CHOICE-PINS-15': {
      section: 'pins',
      behaviour:
        'The first list to a client that can be asked more (sampling, elicitation, roots) approves the tools that only such clients see. It approves none that waits for approval, and other capabilities, which a client can make up, are no first use.',
      owedBy: ['hub'],
    },
    'CHOICE-PINS-10': {
      section: 'pins',
      behaviour:
        'The approved tools of a server belong to its configuration file: in another folder a changed tool is no first use. Records of earlier versions, which belong to a folder, are taken over.',
      owedBy: ['hub'],
    },
    'CHOICE-PINS-11': {
      section: 'pins',
      behaviour: 'A changed tool is shown without its new icons and `_meta`, which are not stored.',
      owedBy: ['hub'],
    },
    'CHOICE-PINS-12': {
      section: 'pins',
      behaviour:
        'A list that had no change is recognised by its hash, until another text is approved or the list differs, also in the cache.',
      owedBy: ['hub'],
    },
    'CHOICE-PINS-08': {
      section: 'pins',
      behaviour: 'Every entry of a difference is one line: keys and values of a schema cannot forge further lines.',
      owedBy: ['hub'],
    },
  },
} as const satisfies Ledger;
