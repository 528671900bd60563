import type { Ledger } from './requirement.js';

/** The first ten minutes: import of existing servers, a helpful command line, packages and containers. */
export const newcomer = {
  document: 'One command, the first ten minutes',
  requirements: {
    // ── Import ──
    'NEW-IMPORT-01': {
      section: 'import',
      behaviour:
        'The files of Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Codex and Gemini are searched in the locations of each platform.',
      owedBy: ['config'],
    },
    'NEW-IMPORT-02': {
      section: 'import',
      behaviour:
        'Servers of every client are read with the semantics of that client, including TOML of Codex and entries per project.',
      owedBy: ['config', 'cli'],
    },
    'NEW-IMPORT-03': {
      section: 'import',
      behaviour:
        'No secret is written or shown; it is replaced by an input, and the name of its environment variable is printed.',
      owedBy: ['config', 'cli'],
    },
    'NEW-IMPORT-04': {
      section: 'import',
      behaviour:
        'The same server in several clients becomes one; different servers of one name are renamed and reported.',
      owedBy: ['config', 'cli'],
    },
    'NEW-IMPORT-05': {
      section: 'import',
      behaviour: 'A file or entry that cannot be read is reported and does not affect the others.',
      owedBy: ['config', 'cli'],
    },
    'NEW-IMPORT-06': {
      section: 'import',
      behaviour:
        'The written file is valid, readable by its owner only, and never overwrites an existing file without --force. With it, a link is replaced, and not the file that it leads to.',
      owedBy: ['cli'],
    },
    'NEW-IMPORT-07': {
      section: 'import',
      behaviour: 'The import starts no program and omits a2c itself.',
      owedBy: ['config', 'cli'],
    },
    'NEW-IMPORT-08': {
      section: 'import',
      behaviour:
        'On request, the secrets are stored for this user and the written file, in the keychain if there is one, and every command that starts its servers uses them.',
      owedBy: ['cli'],
    },
    'NEW-IMPORT-09': {
      section: 'import',
      behaviour:
        'An entry of a file of a project never changes, enables or replaces a server of the user; it is the same server only if everything that decides what runs and what is sent is equal.',
      owedBy: ['config', 'cli'],
    },
    'NEW-IMPORT-10': {
      section: 'import',
      behaviour:
        'The list of imported servers shows, on single lines, everything that decides what runs and what is sent, such as variables; texts of a file cannot forge lines of it.',
      owedBy: ['cli'],
    },
    'NEW-EXPORT-01': {
      section: 'import',
      behaviour:
        '`config export` prints the entry that points Claude, Cursor or VS Code at the proxy, with absolute paths.',
      owedBy: ['config', 'cli'],
    },

    // ── The command line ──
    'NEW-CLI-01': {
      section: 'command line',
      behaviour: 'Every command has a description and an example that the program accepts.',
      owedBy: ['cli'],
    },
    'NEW-CLI-02': {
      section: 'command line',
      behaviour: 'The error for a misspelt command or option suggests the nearest one and the command that lists all.',
      owedBy: ['cli'],
    },
    'NEW-CLI-03': {
      section: 'command line',
      behaviour: '`--version` prints the version; with `--json` also those of Node, A2C-SMCP and MCP.',
      owedBy: ['cli', 'hub'],
    },
    'NEW-CLI-04': {
      section: 'command line',
      behaviour: '`completion` prints a script for bash, zsh or fish that completes every command, option and choice.',
      owedBy: ['cli'],
    },
    'NEW-CLI-05': {
      section: 'command line',
      behaviour: 'Printing the version or the help loads no command and no other package.',
      owedBy: ['cli'],
    },

    'NEW-CLI-06': {
      section: 'command line',
      behaviour: 'Commands in messages of every package begin as the user starts the program: `a2c` or `npx a2c`.',
      owedBy: ['cli'],
    },
    'NEW-CLI-08': {
      section: 'command line',
      behaviour:
        'A start uses the code that V8 compiled in an earlier start, which a longer run completes. Unusable code and a read-only folder change nothing.',
      owedBy: ['cli'],
    },
    'NEW-CLI-07': {
      section: 'command line',
      behaviour: '`config check` reports patterns of tools that match no server of the file.',
      owedBy: ['cli'],
    },

    'NEW-EXPORT-04': {
      section: 'import',
      behaviour:
        'The entry for a file that was found, not named, starts the proxy in its folder: the file is trusted only by the decision of a person.',
      owedBy: ['cli'],
    },
    'NEW-EXPORT-02': {
      section: 'import',
      behaviour: '`config export` also writes the entry for Windsurf, Gemini CLI and, as TOML, Codex.',
      owedBy: ['config', 'cli'],
    },

    // ── Packages ──
    'NEW-PACK-01': {
      section: 'installable',
      behaviour:
        'Every published package is built before it is packed, and contains its README, its licence and no development files.',
      owedBy: ['house', 'cli'],
    },
    'NEW-PACK-02': {
      section: 'installable',
      behaviour: 'The tarballs install into an empty folder, and the installed `a2c` runs.',
      owedBy: ['cli'],
    },
    'NEW-PACK-03': {
      section: 'installable',
      behaviour: 'publint and arethetypeswrong report nothing for any tarball.',
      owedBy: ['cli'],
    },

    // ── Containers ──
    'NEW-BOX-01': {
      section: 'container',
      behaviour: 'The Dockerfile separates build and runtime stages, and uses exact versions and the lock file.',
      owedBy: ['house'],
    },
    'NEW-BOX-02': {
      section: 'container',
      behaviour: 'The images of server and proxy run without root, fail closed, and have a health check.',
      owedBy: ['house'],
    },
    'NEW-BOX-03': {
      section: 'container',
      behaviour:
        'The compose file starts server, Redis and optionally the proxy, with minimal privileges, without secrets and without public ports.',
      owedBy: ['house'],
    },

    // ── Messages and output of the command line ──
    'NEW-START-01': {
      section: 'installable',
      behaviour:
        'An unsupported Node, and a clone that was not built, get one line with the remedy from every command.',
      owedBy: ['cli'],
    },
    'NEW-ERROR-01': {
      section: 'errors',
      behaviour:
        'A call that a person denied, or that expired without an answer, is reported as such, without advice to restart the Computer.',
      owedBy: ['cli'],
    },
    'NEW-ERROR-02': {
      section: 'errors',
      behaviour:
        'A failed connection names its remedy in every command: https to an http port, an unknown certificate authority, an unknown host, a closed connection.',
      owedBy: ['cli'],
    },
    'NEW-ERROR-03': {
      section: 'errors',
      behaviour:
        'With `--json`, a failed command prints a JSON object with the error on stdout, and the message on stderr.',
      owedBy: ['cli'],
    },
    'NEW-ERROR-04': {
      section: 'errors',
      behaviour:
        'A 401 that names no authorization server has a token in the headers as its remedy, and `mcp --url` takes `--headers`; a URL that is not of an MCP server is reported as such.',
      owedBy: ['cli'],
    },
    'NEW-ERROR-05': {
      section: 'errors',
      behaviour: 'A suggested command has the options of the failed one that it needs, such as `--url`.',
      owedBy: ['cli'],
    },
    'NEW-ERROR-06': {
      section: 'errors',
      behaviour:
        'A call of a tool of a server that does not run reports the server and the reason, unless the caller may not use this server.',
      owedBy: ['computer'],
    },
    'NEW-OUTPUT-01': {
      section: 'output',
      behaviour:
        'At a terminal, `mcp tools` prints TypeScript signatures, and `mcp call` and `tc` print text; piped or with `--json`, one JSON document.',
      owedBy: ['cli'],
    },
    'NEW-OUTPUT-02': {
      section: 'output',
      behaviour: 'The warning of a server whose start is repeated is printed once, until the server is connected.',
      owedBy: ['cli'],
    },
    'NEW-OUTPUT-03': {
      section: 'output',
      behaviour: '`up` fits 24 lines of 80 characters, and prints a line for each call as it ends.',
      owedBy: ['cli'],
    },
    'NEW-OUTPUT-04': {
      section: 'output',
      behaviour: 'Tables fit the width of the terminal without cutting names; failures are red in every command.',
      owedBy: ['cli'],
    },
    'NEW-OUTPUT-05': {
      section: 'output',
      behaviour: '`agent call` shows the progress of a tool through the office.',
      owedBy: ['cli'],
    },
    'NEW-OUTPUT-06': {
      section: 'output',
      behaviour:
        'At a terminal, a slow start shows what the server does and for how long; a download that fails names the variables that the program does not get.',
      owedBy: ['cli'],
    },
    'NEW-OUTPUT-07': {
      section: 'output',
      behaviour:
        '`up` reports in one line all servers with tools of the same names, repeats the link of the console for a question once it has left the screen, and is in English in every locale.',
      owedBy: ['cli'],
    },
    'NEW-SHELL-05': {
      section: 'shell',
      behaviour:
        'At 80 columns and 24 lines, `help` fits and `help COMMAND` keeps each command on one line; `clear` clears the screen; an unknown answer to a question for consent names the possible ones.',
      owedBy: ['cli'],
    },
    'NEW-SHELL-01': {
      section: 'shell',
      behaviour:
        '`logs` shows what a server wrote to stderr, also before its last restart, `server edit` opens it in an editor, and `save` writes servers and inputs to a file.',
      owedBy: ['cli'],
    },
    'NEW-SHELL-02': {
      section: 'shell',
      behaviour: 'Ctrl-R searches the history; Tab completes tools, their arguments and `@file`.',
      owedBy: ['cli'],
    },
    'NEW-SHELL-03': {
      section: 'shell',
      behaviour:
        'Questions name the input and the MCP server that needs it; questions of MCP servers are answered at the prompt.',
      owedBy: ['cli'],
    },
    'NEW-SHELL-04': {
      section: 'shell',
      behaviour: 'In a Chinese shell, states and the common errors of every package are in Chinese; in others none is.',
      owedBy: ['cli'],
    },
    'NEW-SHELL-06': {
      section: 'shell',
      behaviour:
        'A Chinese shell prints no English sentence of a2c: neither its commands, nor the failures that a user meets, nor any message of the packages below it.',
      owedBy: ['cli'],
    },
    'NEW-PACK-04': {
      section: 'package',
      behaviour: 'A dry run of publishing succeeds for every package.',
      owedBy: ['cli'],
    },
  },
} as const satisfies Ledger;
