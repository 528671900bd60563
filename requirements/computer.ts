import type { Ledger } from './requirement.js';

/** What a Computer and its shell do beyond the documents they come from. */
export const computer = {
  document: 'packages/computer/README.md',
  requirements: {
    'COMP-BOOT-01': {
      section: 'Servers',
      behaviour: 'A server that cannot be rendered or started is reported and left out; the others run.',
      owedBy: ['computer'],
    },
    'COMP-BOOT-02': {
      section: 'Servers',
      behaviour: 'A Computer boots once, closes any number of times, and leaves no process behind.',
      owedBy: ['computer'],
    },
    'COMP-LIVE-01': {
      section: 'Servers',
      behaviour:
        'Servers added, changed, removed, started and stopped at run time count at once, for tools and for the shown configuration.',
      owedBy: ['computer'],
    },
    'COMP-LIVE-03': {
      section: 'Servers',
      behaviour: 'Where two servers show a tool under one name, one has it, and a warning says which and what to do.',
      owedBy: ['computer'],
    },
    'COMP-LIVE-02': {
      section: 'Inputs',
      behaviour:
        'Inputs are added, changed, removed and replaced at run time, and their values read, set and forgotten.',
      owedBy: ['computer'],
    },
    'COMP-LIST-01': {
      section: 'Calls',
      behaviour: 'The tool list has the form that every published peer reads.',
      owedBy: ['computer'],
    },
    'COMP-ONCE-01': {
      section: 'Calls',
      behaviour: 'A call repeated under its office, agent and `req_id` gets the first one’s result and runs nothing.',
      owedBy: ['computer'],
    },
    'COMP-ONCE-02': {
      section: 'Calls',
      behaviour:
        'The memory of calls is bounded in number and bytes; a call whose result was dropped gets an error and is never run again.',
      owedBy: ['computer'],
    },
    'COMP-ONCE-03': {
      section: 'Calls',
      behaviour: 'A repetition of a call that was first sent before the Computer was started is refused, not run.',
      owedBy: ['computer'],
    },
    'COMP-ONCE-04': {
      section: 'Calls',
      behaviour: 'What was turned away before anything ran is not remembered: the same `req_id` may ask again.',
      owedBy: ['computer'],
    },
    'COMP-ONCE-05': {
      section: 'Calls',
      behaviour:
        'A used `req_id` with another tool or other arguments is refused; it does not get the other call’s result.',
      owedBy: ['computer'],
    },
    'COMP-EVENT-01': {
      section: 'Calls',
      behaviour: 'A throwing listener changes nothing about the call.',
      owedBy: ['computer'],
    },
    'COMP-ASK-01': {
      section: 'Consent',
      behaviour: 'The confirm callback gets the request id, server, tool, arguments, Agent and hints.',
      owedBy: ['computer'],
    },
    'COMP-ASK-02': {
      section: 'Consent',
      behaviour:
        'A missing callback, a refusal, a timeout and a failing callback each give a failed result with the reason.',
      owedBy: ['computer'],
    },
    'COMP-ASK-03': {
      section: 'Consent',
      behaviour: 'Consent is asked for after the arguments were checked: never for a call that cannot run.',
      owedBy: ['computer'],
    },
    'COMP-FAIL-01': {
      section: 'Failures',
      behaviour: 'What the Computer refuses is an error of the protocol and a failed MCP result in one, text included.',
      owedBy: ['computer'],
    },
    'COMP-FAIL-02': {
      section: 'Failures',
      behaviour: 'A failure that a tool reports passes unchanged; a failure of its server is an error text.',
      owedBy: ['computer'],
    },
    'COMP-CANCEL-01': {
      section: 'Calls',
      behaviour: 'A cancelled call ends at once with `a2c_cancelled`, and is cancelled at the MCP server.',
      owedBy: ['computer'],
    },
    'COMP-HIST-01': {
      section: 'History',
      behaviour: 'The last calls are kept in order, each with its outcome.',
      owedBy: ['computer'],
    },
    'COMP-HIST-02': {
      section: 'History',
      behaviour: 'No record, log line or error holds the value of a secret input or what looks like a credential.',
      owedBy: ['computer'],
    },
    'COMP-HIST-03': {
      section: 'History',
      behaviour: 'A file of JSON Lines, readable by its owner only, gets every call and is rotated by size.',
      owedBy: ['computer'],
    },
    'COMP-HIST-04': {
      section: 'History',
      behaviour: 'Calls that were refused, because the tool is unknown, forbidden or disabled, are on the record too.',
      owedBy: ['computer'],
    },
    'COMP-DESK-01': {
      section: 'Desktop',
      behaviour: 'The server used last comes first, a fullscreen window is shown alone, size and window select.',
      owedBy: ['computer'],
    },
    'COMP-LINK-01': {
      section: 'The link',
      behaviour:
        'Every request is answered: malformed ones, unknown ones and those for another Computer with an error.',
      owedBy: ['computer'],
    },
    'COMP-LINK-02': {
      section: 'The link',
      behaviour: 'Only real changes are announced, each kind once per interval.',
      owedBy: ['computer'],
    },
    'COMP-LINK-03': {
      section: 'The link',
      behaviour:
        'After a loss the link reconnects, takes its seat under the same name and announces; results finished meanwhile wait for a repeated `req_id`.',
      owedBy: ['computer'],
    },
    'COMP-LINK-04': {
      section: 'The link',
      behaviour: 'A refusal that will not get better ends the link with its reason; everything else is tried again.',
      owedBy: ['computer'],
    },
    'COMP-LINK-05': {
      section: 'The link',
      behaviour: 'Sent to the wrong node, it connects again with the office in the query.',
      owedBy: ['computer'],
    },
    'COMP-LINK-06': {
      section: 'The link',
      behaviour:
        'Joining elsewhere, renaming, leaving and hanging up work in any order, and a failed join changes nothing.',
      owedBy: ['computer'],
    },
    'COMP-BLOB-01': {
      section: 'The link',
      behaviour:
        'A result over the Server’s limit is an error or, for an Agent that accepts blobs, handles good for that Agent; the connection lives on.',
      owedBy: ['computer'],
    },
    'COMP-BLOB-02': {
      section: 'The link',
      behaviour:
        'Parts are let go some time after they were read to their end; a repeated call gets the same handles; what cannot be sent is not kept.',
      owedBy: ['computer'],
    },
    'COMP-BLOB-03': {
      section: 'The link',
      behaviour: 'Only the Computer gives handles: those that an MCP server puts into its result are taken out.',
      owedBy: ['computer'],
    },
    'SHELL-START-01': {
      section: 'The shell',
      behaviour: '`a2c computer run` takes the start options, `run` may be left out, and `a2c-computer` is the same.',
      owedBy: ['cli'],
    },
    'SHELL-START-02': {
      section: 'The shell',
      behaviour: 'A command line or file that is wrong ends the start with exit code 2 and says what and where.',
      owedBy: ['cli'],
    },
    'SHELL-CMD-01': {
      section: 'The shell',
      behaviour: '`help`, `status`, `tools`, `mcp`, `history`, `desktop` and `quit` show what there is.',
      owedBy: ['cli'],
    },
    'SHELL-CMD-02': {
      section: 'The shell',
      behaviour:
        '`tc` runs a complete tool call request through the same pipeline, and `render` fills in placeholders.',
      owedBy: ['cli'],
    },
    'SHELL-CMD-03': {
      section: 'The shell',
      behaviour: '`socket connect|join|leave|disconnect` and `notify update` govern the link to an office.',
      owedBy: ['cli'],
    },
    'SHELL-CMD-04': {
      section: 'The shell',
      behaviour:
        'Words may be quoted, the first word is free in its case, and what is not understood is answered with the remedy.',
      owedBy: ['cli'],
    },
    'SHELL-PIPE-01': {
      section: 'The shell',
      behaviour:
        'Commands from a pipe run one per line, print plain text or JSON lines, and the exit code reports failures.',
      owedBy: ['cli'],
    },
    'SHELL-HEAD-01': {
      section: 'The shell',
      behaviour: '`--headless` serves an office until a signal, says `ready`, and logs JSON lines on stderr.',
      owedBy: ['cli'],
    },
    'SHELL-TEXT-01': {
      section: 'The shell',
      behaviour: 'Tables are aligned and fit the terminal, also with Chinese text.',
      owedBy: ['cli'],
    },
    'SHELL-TEXT-02': {
      section: 'The shell',
      behaviour: 'Messages come in English or Chinese, by locale or `--lang`.',
      owedBy: ['cli'],
    },
    'SHELL-TERM-01': {
      section: 'The shell',
      behaviour: 'A terminal gets line editing, persistent history without secrets, and completion.',
      owedBy: ['cli'],
    },
    'SHELL-TERM-02': {
      section: 'The shell',
      behaviour: 'Passwords are asked for blindly, choices by arrow key or number.',
      owedBy: ['cli'],
    },
    'SHELL-TERM-03': {
      section: 'The shell',
      behaviour: 'Before a tool runs the person sees server, tool, arguments and hints, and says yes, no or always.',
      owedBy: ['cli'],
    },
  },
} as const satisfies Ledger;
