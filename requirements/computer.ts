import type { Ledger } from './requirement.js';

/** Behaviour of a Computer and its shell beyond the mission documents. */
export const computer = {
  document: 'packages/computer/README.md',
  requirements: {
    'COMP-BOOT-01': {
      section: 'Servers',
      behaviour: 'A server that cannot be rendered or started is reported and skipped; the others run.',
      owedBy: ['computer'],
    },
    'COMP-BOOT-02': {
      section: 'Servers',
      behaviour: 'A Computer can be booted once and closed any number of times, and leaves no process behind.',
      owedBy: ['computer'],
    },
    'COMP-LIVE-01': {
      section: 'Servers',
      behaviour:
        'Servers that are added, changed, removed, started or stopped at run time take effect at once in the tools and the shown configuration.',
      owedBy: ['computer'],
    },
    'COMP-LIVE-03': {
      section: 'Servers',
      behaviour:
        'If two servers have a tool of the same name, one of them owns it, and a warning names the owner and the remedy.',
      owedBy: ['computer'],
    },
    'COMP-NAME-01': {
      section: 'Servers',
      behaviour:
        'An Agent can call a tool as `server.tool`, `server/tool` and `bundle__tool`, also when the Server knows the tool list, and within the limits of its key. A short name that several servers have means the tool of the first one.',
      owedBy: ['computer'],
    },
    'COMP-LIVE-02': {
      section: 'Inputs',
      behaviour:
        'Inputs can be added, changed, removed and replaced at run time, and their values read, set and cleared.',
      owedBy: ['computer'],
    },
    'COMP-LIST-01': {
      section: 'Calls',
      behaviour: 'The tool list has a form that every published peer can read.',
      owedBy: ['computer'],
    },
    'COMP-ONCE-01': {
      section: 'Calls',
      behaviour:
        'A call repeated with the same office, agent and `req_id` returns the first result and does not run again.',
      owedBy: ['computer'],
    },
    'COMP-ONCE-02': {
      section: 'Calls',
      behaviour:
        'The store of calls is bounded in number and bytes; a call whose result was dropped is reported as such and never runs again.',
      owedBy: ['computer'],
    },
    'COMP-ONCE-03': {
      section: 'Calls',
      behaviour: 'A repeated call that was first sent before the Computer started is refused and does not run.',
      owedBy: ['computer'],
    },
    'COMP-ONCE-04': {
      section: 'Calls',
      behaviour: 'A call that was refused before it ran is not stored: the same `req_id` can be used again.',
      owedBy: ['computer'],
    },
    'COMP-ONCE-05': {
      section: 'Calls',
      behaviour: 'A used `req_id` with another tool or other arguments is refused and returns no other call’s result.',
      owedBy: ['computer'],
    },
    'COMP-EVENT-01': {
      section: 'Calls',
      behaviour: 'A listener that throws does not affect the call it was notified of.',
      owedBy: ['computer'],
    },
    'COMP-ASK-01': {
      section: 'Consent',
      behaviour: 'A consent handler receives the request id, server, tool, arguments, caller and annotations.',
      owedBy: ['computer'],
    },
    'COMP-ASK-09': {
      section: 'Consent',
      behaviour:
        'An answer for all later calls applies to the tool as it was described; a changed tool is asked about again.',
      owedBy: ['computer'],
    },
    'COMP-ASK-02': {
      section: 'Consent',
      behaviour:
        'A missing handler, a denial, a denial without a question, a timeout and a failing handler each produce a failed result with the reason.',
      owedBy: ['computer'],
    },
    'COMP-ASK-03': {
      section: 'Consent',
      behaviour: 'Consent is asked for after the arguments were checked: never for a call that cannot run.',
      owedBy: ['computer'],
    },
    'COMP-ASK-04': {
      section: 'Consent',
      behaviour:
        'Calls that wait for consent are limited: in number for each Agent, their arguments in bytes for each Agent and together.',
      owedBy: ['computer'],
    },
    'COMP-ASK-10': {
      section: 'Consent',
      behaviour: 'A caller that asked for progress is notified while its call waits for consent.',
      owedBy: ['agent'],
    },
    'COMP-FAIL-01': {
      section: 'Failures',
      behaviour: 'A refusal of the Computer is both a protocol error and a failed MCP result, including its text.',
      owedBy: ['computer'],
    },
    'COMP-FAIL-02': {
      section: 'Failures',
      behaviour:
        'An error that a tool returns is passed on unchanged; a failure of its MCP server is described in text.',
      owedBy: ['computer'],
    },
    'COMP-CANCEL-01': {
      section: 'Calls',
      behaviour: 'A cancelled call ends at once with `a2c_cancelled`, and the MCP server is notified.',
      owedBy: ['computer'],
    },
    'COMP-HIST-01': {
      section: 'History',
      behaviour: 'The most recent calls are stored in order, each with its outcome.',
      owedBy: ['computer'],
    },
    'COMP-HIST-02': {
      section: 'History',
      behaviour:
        'No record, log line or error contains the value of a secret input or a text that looks like a credential.',
      owedBy: ['computer'],
    },
    'COMP-HIST-03': {
      section: 'History',
      behaviour: 'Every call is appended to a JSON Lines file that is readable by its owner only and rotated by size.',
      owedBy: ['computer'],
    },
    'COMP-HIST-04': {
      section: 'History',
      behaviour: 'Calls that were refused because the tool is unknown, forbidden or disabled are recorded too.',
      owedBy: ['computer'],
    },
    'COMP-DESK-01': {
      section: 'Desktop',
      behaviour:
        'The most recently used server comes first, a fullscreen window is shown alone, and size and window filter the result.',
      owedBy: ['computer'],
    },
    'COMP-LINK-01': {
      section: 'The link',
      behaviour:
        'Every request is answered; a malformed or unknown request, or one for another Computer, is answered with an error.',
      owedBy: ['computer'],
    },
    'COMP-LINK-02': {
      section: 'The link',
      behaviour: 'Only actual changes are announced, each kind once per interval.',
      owedBy: ['computer'],
    },
    'COMP-LINK-03': {
      section: 'The link',
      behaviour:
        'After a lost connection the link reconnects, re-joins under the same name and announces itself; finished results are kept for a repeated `req_id`.',
      owedBy: ['computer'],
    },
    'COMP-LINK-04': {
      section: 'The link',
      behaviour: 'A final refusal ends the link with its reason; every other failure is retried.',
      owedBy: ['computer'],
    },
    'COMP-LINK-05': {
      section: 'The link',
      behaviour: 'A Computer that is connected to the wrong node reconnects with the office in the query.',
      owedBy: ['computer'],
    },
    'COMP-LINK-06': {
      section: 'The link',
      behaviour:
        'Joining another office, renaming, leaving and disconnecting work in any order, and a failed join changes nothing.',
      owedBy: ['computer'],
    },
    'COMP-BLOB-01': {
      section: 'The link',
      behaviour:
        'A result over the limit of the Server becomes an error or, for an Agent that accepts blobs, handles for that Agent; the connection stays open.',
      owedBy: ['computer'],
    },
    'COMP-BLOB-02': {
      section: 'The link',
      behaviour:
        'Blobs are dropped some time after they were read completely; a repeated call returns the same handles; blobs that cannot be sent are not stored.',
      owedBy: ['computer'],
    },
    'COMP-BLOB-04': {
      section: 'The link',
      behaviour: 'The size of a large result is measured without one more copy of it.',
      owedBy: ['computer'],
    },
    'COMP-BLOB-03': {
      section: 'The link',
      behaviour: 'Only the Computer issues handles: handles that an MCP server puts into its result are removed.',
      owedBy: ['computer'],
    },
    'SHELL-START-01': {
      section: 'The shell',
      behaviour:
        '`a2c computer run` accepts the start options, `run` is optional, and `a2c-computer` is the same command.',
      owedBy: ['cli'],
    },
    'SHELL-START-02': {
      section: 'The shell',
      behaviour:
        'With a wrong command line or file, the command exits with code 2 and names the problem and its location.',
      owedBy: ['cli'],
    },
    'SHELL-CMD-01': {
      section: 'The shell',
      behaviour: '`help`, `status`, `tools`, `mcp`, `history`, `desktop` and `quit` work as documented.',
      owedBy: ['cli'],
    },
    'SHELL-CMD-02': {
      section: 'The shell',
      behaviour:
        '`tc` runs a complete tool call request through the same pipeline, and `render` replaces placeholders.',
      owedBy: ['cli'],
    },
    'SHELL-CMD-03': {
      section: 'The shell',
      behaviour: '`socket connect|join|leave|disconnect` and `notify update` control the connection to an office.',
      owedBy: ['cli'],
    },
    'SHELL-CMD-04': {
      section: 'The shell',
      behaviour:
        'Words may be quoted, the first word is case-insensitive, and unknown input is answered with the remedy.',
      owedBy: ['cli'],
    },
    'SHELL-PIPE-01': {
      section: 'The shell',
      behaviour:
        'Commands from a pipe run one per line and print plain text or JSON lines, and the exit code reports failures.',
      owedBy: ['cli'],
    },
    'SHELL-HEAD-01': {
      section: 'The shell',
      behaviour:
        '`--headless` serves an office until it receives a signal, prints `ready`, and logs JSON lines on stderr.',
      owedBy: ['cli'],
    },
    'SHELL-TEXT-01': {
      section: 'The shell',
      behaviour:
        'Tables are aligned and fit the terminal, also with Chinese text. Messages are wrapped between words, except lines with a command to paste.',
      owedBy: ['cli'],
    },
    'SHELL-TEXT-02': {
      section: 'The shell',
      behaviour: 'Messages are in English or Chinese, selected by locale or `--lang`.',
      owedBy: ['cli'],
    },
    'SHELL-TERM-01': {
      section: 'The shell',
      behaviour: 'A terminal has line editing, persistent history without secrets, and completion.',
      owedBy: ['cli'],
    },
    'SHELL-TERM-02': {
      section: 'The shell',
      behaviour: 'Passwords are entered without echo, and options are selected by arrow key or number.',
      owedBy: ['cli'],
    },
    'SHELL-TERM-03': {
      section: 'The shell',
      behaviour:
        'Before a tool runs, the shell shows server, tool, arguments and annotations, and accepts yes, no or always.',
      owedBy: ['cli'],
    },
    'SHELL-TERM-04': {
      section: 'The shell',
      behaviour:
        'The shell says in words why a session ended, and when a lost connection is back; status keeps the reason of the end.',
      owedBy: ['cli'],
    },
    'SHELL-TERM-05': {
      section: 'The shell',
      behaviour: 'Questions of MCP servers accept only values of the type and the format that they ask for.',
      owedBy: ['cli'],
    },
    'SHELL-LINES-01': {
      section: 'The shell',
      behaviour:
        'JSON may span several lines at the prompt, also pasted with tabs, and in a pipe; the history gets it as one line.',
      owedBy: ['cli'],
    },
    'SHELL-CMD-05': {
      section: 'The shell',
      behaviour:
        '`tc TOOL key=value …` calls a tool; `help COMMAND`, `status NAME` and `restart NAME` concern one command or server.',
      owedBy: ['cli'],
    },
  },
} as const satisfies Ledger;
