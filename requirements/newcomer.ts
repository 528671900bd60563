import type { Ledger } from './requirement.js';

/** The first ten minutes: taking over what people have, a command line that helps, packages and containers that run. */
export const newcomer = {
  document: 'One command, the first ten minutes',
  requirements: {
    // ── Import ──
    'NEW-IMPORT-01': {
      section: 'import what people have',
      behaviour:
        'The files of Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Codex and Gemini are looked for where each platform keeps them.',
      owedBy: ['config'],
    },
    'NEW-IMPORT-02': {
      section: 'import what people have',
      behaviour:
        'Servers are read from every client, Codex’s TOML and per-project entries included, as that client means them.',
      owedBy: ['config', 'cli'],
    },
    'NEW-IMPORT-03': {
      section: 'import what people have',
      behaviour: 'No secret is written or shown; an input stands in its place and its environment variable is told.',
      owedBy: ['config', 'cli'],
    },
    'NEW-IMPORT-04': {
      section: 'import what people have',
      behaviour: 'The same server in several clients becomes one; different ones of one name are renamed and told.',
      owedBy: ['config', 'cli'],
    },
    'NEW-IMPORT-05': {
      section: 'import what people have',
      behaviour: 'A file or an entry that cannot be read is told and costs nobody else anything.',
      owedBy: ['config', 'cli'],
    },
    'NEW-IMPORT-06': {
      section: 'import what people have',
      behaviour: 'The written file is right, private to its owner, and never overwrites another without --force.',
      owedBy: ['cli'],
    },
    'NEW-IMPORT-07': {
      section: 'import what people have',
      behaviour: 'Importing starts no program and leaves out a2c itself.',
      owedBy: ['config', 'cli'],
    },
    'NEW-EXPORT-01': {
      section: 'import what people have',
      behaviour:
        '`config export` prints the entry that points Claude, Cursor or VS Code at the proxy, with absolute paths.',
      owedBy: ['config', 'cli'],
    },

    // ── The command line ──
    'NEW-CLI-01': {
      section: 'the command line helps',
      behaviour: 'Every command has a description and an example that this very program accepts.',
      owedBy: ['cli'],
    },
    'NEW-CLI-02': {
      section: 'the command line helps',
      behaviour: 'A misspelt command or option is answered with the nearest right one and the command that shows all.',
      owedBy: ['cli'],
    },
    'NEW-CLI-03': {
      section: 'the command line helps',
      behaviour: '`--version` prints the version; with `--json` those of Node, our protocol and MCP too.',
      owedBy: ['cli', 'hub'],
    },
    'NEW-CLI-04': {
      section: 'the command line helps',
      behaviour: '`completion` prints a script for bash, zsh or fish that knows every command, option and choice.',
      owedBy: ['cli'],
    },
    'NEW-CLI-05': {
      section: 'the command line helps',
      behaviour: 'Asking for the version or for help loads no command and none of our packages.',
      owedBy: ['cli'],
    },

    // ── Packages ──
    'NEW-PACK-01': {
      section: 'installable',
      behaviour:
        'Every published package is built before it is packed and holds its README, its licence and nothing of the workshop.',
      owedBy: ['house', 'cli'],
    },
    'NEW-PACK-02': {
      section: 'installable',
      behaviour: 'The tarballs install into an empty folder and `a2c` runs from there.',
      owedBy: ['cli'],
    },
    'NEW-PACK-03': {
      section: 'installable',
      behaviour: 'publint and arethetypeswrong have nothing against any tarball.',
      owedBy: ['cli'],
    },

    // ── Containers ──
    'NEW-BOX-01': {
      section: 'container',
      behaviour: 'The Dockerfile builds in one stage and runs in others, from exact versions and the lock file.',
      owedBy: ['house'],
    },
    'NEW-BOX-02': {
      section: 'container',
      behaviour: 'The images of server and proxy run without root, fail closed, and tell their health.',
      owedBy: ['house'],
    },
    'NEW-BOX-03': {
      section: 'container',
      behaviour:
        'The compose file starts server, Redis and on demand the proxy, with few rights, no secret and no open port.',
      owedBy: ['house'],
    },
  },
} as const satisfies Ledger;
