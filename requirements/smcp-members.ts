import type { Ledger } from './requirement.js';

/**
 * What A2C-SMCP 0.2 to 0.4 ask of Computers and Agents beyond 0.1.
 *
 * Optional in the published texts, or local to the SDKs, and done in another way:
 * - the variables `A2C_SKILL_*`, `A2C_BLOB_*` and `A2C_UPLOAD_*`: `COMPUTER_LIMITS` are options;
 * - handles of blobs without a state: ours are random, and belong to the Agent that received them;
 * - a `pickString` without a default and without a terminal takes the first option: ours is an error;
 * - a malformed field of the settings is dropped alone: ours is an error, except in files of a project;
 * - two MCP servers with the same derived bundle id: the first wins there, ours both run (MEM-BUNDLE-04);
 * - servers of plugins start without approval there: ours need trust (MEM-PLUGIN-02);
 * - two tools of a server with the same exposed name: the first wins there, ours are both listed (MEM-BUNDLE-03);
 * - a server that is added while the Computer runs replaces that of the same bundle id there, and that of the same name
 *   here, where names are unique; one with the configured id of another gets the next free id (MEM-BUNDLE-04);
 * - `${env:NAME}` of a variable that is not set is an empty text there: ours is an error;
 * - a result of an Agent that did not wait any longer has the marker `a2c_timeout` there: ours is a typed error, 408;
 * - parts for the MCP server and the tool in the name of an input's variable: the SDKs have them and use the id alone;
 * - a `pickString` needs an option there: ours may have none, as in the document;
 * - values of inputs in the file and the keychain of the SDKs: ours are in the trust store and in the login vault;
 * - a marketplace is cloned from the address as it is written: the texts name no other address to try, such as HTTPS in
 *   place of SSH;
 * - `permissions.additionalDirectories`, and the shell commands of the SDKs for plugins: used nowhere on the wire.
 *
 * Defects of the published peers that we do not repeat: calls without an answer after an exception, Agents that do not
 * notice their own timeout, no re-join after a lost connection, blobs over 100 MiB in the message, a blob store that
 * grows without limit, SHA-256 in upper case refused, nested files named SKILL.md cut, any folder mounted and any
 * address fetched for a skill, uploads that count against `busy` after a failed first chunk. `DEFECTS` in
 * packages/cli/test/sdk/defects.ts lists those that the tests with the SDKs expect.
 */
export const smcpMembers = {
  document: 'A2C-SMCP 0.2 to 0.4: Computers and Agents',
  requirements: {
    'MEM-BUNDLE-01': {
      section: 'Bundle ids',
      behaviour: 'A bundle id is derived from a server exactly as the published vectors say.',
      owedBy: ['protocol'],
    },
    'MEM-BUNDLE-02': {
      section: 'Bundle ids',
      behaviour: 'A bundle id can be configured; an invalid or repeated one is a configuration error.',
      owedBy: ['config'],
    },
    'MEM-BUNDLE-03': {
      section: 'Exposed names',
      behaviour:
        'A tool is listed under bundle id and display name, is called by either form, and is forbidden by any of its names.',
      owedBy: ['hub'],
    },
    'MEM-BUNDLE-04': {
      section: 'Bundle ids',
      behaviour: 'Of two servers with the same derived id the first has it; the other gets the next one and a warning.',
      owedBy: ['hub'],
    },
    'MEM-BUNDLE-05': {
      section: 'Bundle ids',
      behaviour: 'The history and the question for consent have the bundle id and the server’s own name of the tool.',
      owedBy: ['computer'],
    },
    'MEM-DESK-01': {
      section: 'Desktop',
      behaviour:
        'For Agents from 0.3 on windows are grouped by bundle id: the server used last first, the others in the order of their ids.',
      owedBy: ['computer'],
    },
    'MEM-DESK-02': {
      section: 'Desktop',
      behaviour:
        'The priority of a window is a number from 0 to 1 in its annotations, and `_meta.fullscreen` a boolean; other values are ignored with a warning.',
      owedBy: ['computer'],
    },
    'MEM-TAGS-01': {
      section: 'Tool meta',
      behaviour:
        'An MCP server can declare tags for its tools and nothing else; the settings of the owner take precedence.',
      owedBy: ['protocol', 'hub'],
    },
    'MEM-TAGS-02': {
      section: 'Tool meta',
      behaviour: 'The metadata of results and the decision about consent use the settings of the owner only.',
      owedBy: ['computer'],
    },
    'MEM-INPUT-01': {
      section: 'Inputs',
      behaviour: 'The options of a pickString are texts or objects with a label and a value.',
      owedBy: ['config', 'cli'],
    },
    'MEM-INPUT-02': {
      section: 'Inputs',
      behaviour: 'A stored selection that is no longer an option is an error, never a silent default.',
      owedBy: ['config'],
    },
    'MEM-INPUT-03': {
      section: 'Inputs',
      behaviour:
        'The environment variable of an input is named as the published vectors say, and two inputs never share one.',
      owedBy: ['config'],
    },
    'MEM-INPUT-04': {
      section: 'Inputs',
      behaviour:
        'Inputs are resolved from the declaration at each start of an MCP server; a command runs once for each start.',
      owedBy: ['computer'],
    },
    'MEM-INPUT-05': {
      section: 'Inputs',
      behaviour:
        'A restart or an update that finds no value for an input keeps the running process and its configuration.',
      owedBy: ['computer'],
    },
    'MEM-SKILL-01': {
      section: 'Skill names',
      behaviour: 'Skill names are accepted and refused exactly as the published samples say.',
      owedBy: ['protocol'],
    },
    'MEM-SKILL-02': {
      section: 'Skills',
      behaviour: 'The skills of the user are listed with description and tags, and their files are read by path.',
      owedBy: ['computer', 'agent', 'cli'],
    },
    'MEM-SKILL-03': {
      section: 'Skills',
      behaviour: 'No path, link or race reads a file outside a skill; .skillenv is never read.',
      owedBy: ['computer'],
    },
    'MEM-SKILL-04': {
      section: 'Skills',
      behaviour: 'A changed, new or removed skill is announced to the office.',
      owedBy: ['computer', 'agent'],
    },
    'MEM-SKILL-05': {
      section: 'Skills',
      behaviour: 'Skills of enabled plugins are offered; a plugin stays inside its marketplace.',
      owedBy: ['computer'],
    },
    'MEM-SKILL-06': {
      section: 'Skills',
      behaviour:
        'An MCP server offers skills as resources, as an archive, or in a folder that the owner allowed, never from another folder or an address that the trust policy refuses.',
      owedBy: ['computer'],
    },
    'MEM-SKILL-07': {
      section: 'Skills',
      behaviour:
        'The tool inspect of a proxy lists the skills of this machine or of all Computers of an office in pages, and reads their files; without skills it does not mention them.',
      owedBy: ['proxy', 'cli'],
    },
    'MEM-SKILL-08': {
      section: 'Skills',
      behaviour:
        'Texts of up to 32 KiB are in the answer, other files are blobs; types follow from the extension as published; SKILL.md is served without its head.',
      owedBy: ['computer'],
    },
    'MEM-SKILL-09': {
      section: 'Skills',
      behaviour:
        'An Agent fetches a file of a skill again if it changed meanwhile, at most three times; `gone`, `forbidden` and `invalid_handle` are final.',
      owedBy: ['agent'],
    },
    'MEM-SKILL-10': {
      section: 'Skills',
      behaviour:
        'The folder of skills is that of the published SDKs, unless an option names another one, and is for the user alone.',
      owedBy: ['config', 'computer'],
    },
    'MEM-SKILL-11': {
      section: 'Skills',
      behaviour:
        '4014, 4016 and 4017 name the skill, or the path with the reason and the size of a file that is too large.',
      owedBy: ['computer'],
    },
    'MEM-PLUGIN-01': {
      section: 'Plugins and marketplaces',
      behaviour:
        'A marketplace is cloned with git from the address that the owner names; plugins are installed without effect, and enabled with their skills; ledgers and settings have the format of the SDKs.',
      owedBy: ['computer', 'cli'],
    },
    'MEM-PLUGIN-02': {
      section: 'Plugins and marketplaces',
      behaviour:
        'A repository that a catalogue names follows the rules for untrusted sources; the MCP servers of a plugin start only if their files are trusted with their present content.',
      owedBy: ['computer', 'cli'],
    },
    'MEM-PLUGIN-03': {
      section: 'Plugins and marketplaces',
      behaviour:
        'A missing git, an unreachable repository and a repository without a catalogue are clear errors and leave no files.',
      owedBy: ['computer'],
    },
    'MEM-GATE-01': {
      section: 'Approval gate',
      behaviour:
        'MCP servers are switched off by the lists of the administrator and of the user, also in trusted configurations; --approve-all-mcp approves servers of plugins for one run.',
      owedBy: ['config', 'cli'],
    },
    'MEM-GATE-02': {
      section: 'Approval gate',
      behaviour:
        'An MCP server of a project starts only after the user approved it: at a terminal by the answers yes, all or no, which are recorded for the present content of its files; without a terminal it is left out with a message.',
      owedBy: ['config', 'cli'],
    },
    'MEM-GATE-03': {
      section: 'Approval gate',
      behaviour:
        'The question about an MCP server of a project, and the refusal of a plugin, show on single lines everything that decides what runs, what is sent and what goes without a question: commands of inputs with all arguments, OAuth settings, every text with placeholders; literal OAuth secrets are masked.',
      owedBy: ['config', 'computer'],
    },
    'MEM-GATE-04': {
      section: 'Approval gate',
      behaviour:
        'An answer about an MCP server of a project applies to that server only: a project in which a name or bundle id means two servers is refused, and a server that was answered with no does not start, whatever else is approved.',
      owedBy: ['config', 'cli'],
    },
    'MEM-GATE-05': {
      section: 'Approval gate',
      behaviour:
        'The question about an MCP server cuts nothing; one with more than 8,000 characters is refused as too long to be reviewed, with the command that trusts it. The answer "all" counts after all other servers were shown.',
      owedBy: ['cli', 'computer'],
    },
    'MEM-GATE-07': {
      section: 'Approval gate',
      behaviour:
        'An MCP server of a project or plugin never gets the name or bundle id of a server of the user as its bundle id: it gets another one, which the question about it shows.',
      owedBy: ['config', 'cli'],
    },
    'MEM-GATE-06': {
      section: 'Approval gate',
      behaviour:
        'The question about an MCP server of a project, and the refusal of a plugin, show the default and the options of every input that the server refers to; the limit of 8,000 characters includes them.',
      owedBy: ['config', 'computer'],
    },
    'MEM-SCOPE-01': {
      section: 'Scopes',
      behaviour:
        'Settings come from the user, the project, the local file, --settings and the administrator, in this order; lists are joined; a project can neither approve MCP servers nor choose the landing root.',
      owedBy: ['config', 'cli'],
    },
    'MEM-SCOPE-02': {
      section: 'Scopes',
      behaviour:
        'An MCP server of a higher scope replaces that of the same name in a lower scope as a whole; one of a project that is not approved replaces nothing.',
      owedBy: ['config', 'cli'],
    },
    'MEM-SCOPE-03': {
      section: 'Scopes',
      behaviour: 'A malformed file of a project is reported and left out, and does not keep a Computer from starting.',
      owedBy: ['config', 'cli'],
    },
    'MEM-SCOPE-04': {
      section: 'Scopes',
      behaviour:
        'An input of a project has an id of its own and no value of another input; an MCP server of a project gets an input of the user only after a question that names it, by trust in its file, or by --approve-all-mcp.',
      owedBy: ['config', 'cli'],
    },
    'MEM-PLUGIN-04': {
      section: 'Plugins and marketplaces',
      behaviour:
        'Marketplaces that the settings declare are added; those with autoUpdate are fetched when a Computer starts; strictKnownMarketplaces refuses others; trustedMarketplaces lists those that the user added.',
      owedBy: ['computer', 'cli'],
    },
    'MEM-PLUGIN-05': {
      section: 'Plugins and marketplaces',
      behaviour:
        'Trust of a plugin is bound to the names and contents of all files of its MCP servers; an input that it does not define is an error, never an input of the user.',
      owedBy: ['computer'],
    },
    'MEM-PLUGIN-06': {
      section: 'Plugins and marketplaces',
      behaviour:
        'The command that trusts the MCP servers of a plugin contains a 128-bit id of the files that were shown, and trusts no others; without an id, what is trusted is printed.',
      owedBy: ['cli'],
    },
    'MEM-PLUGIN-07': {
      section: 'Plugins and marketplaces',
      behaviour:
        'A project can switch a plugin off, and on if the user has not decided; one that the user switched off stays off, with the command that switches it on.',
      owedBy: ['config', 'cli'],
    },
    'MEM-PUT-01': {
      section: 'Files',
      behaviour:
        'A file that an Agent sends lands below the landing root, complete and verified, under a harmless name.',
      owedBy: ['computer', 'agent', 'cli'],
    },
    'MEM-PUT-02': {
      section: 'Files',
      behaviour: 'A repeated chunk is answered again and not written again.',
      owedBy: ['computer'],
    },
    'MEM-PUT-03': {
      section: 'Files',
      behaviour: 'A refused upload has the reason of error 4019, and leaves no partial file.',
      owedBy: ['computer'],
    },
    'MEM-PUT-04': {
      section: 'Files',
      behaviour: 'Incomplete files that an ended process left are removed when the next upload starts.',
      owedBy: ['computer'],
    },
    'MEM-RES-01': {
      section: 'Resources',
      behaviour:
        'An Agent lists the resources of an MCP server page by page and reads them; 4014 and 4015 as published.',
      owedBy: ['computer', 'agent', 'cli'],
    },
    'MEM-BLOB-01': {
      section: 'Blobs',
      behaviour: 'An Agent from 0.2 on gets large images as blobs without asking; text moves only if it asks.',
      owedBy: ['computer', 'agent'],
    },
    'MEM-BLOB-02': {
      section: 'Blobs',
      behaviour: 'A chunk has 256 KiB unless the Agent states a size; error 4018 has the published reasons.',
      owedBy: ['computer'],
    },
    'MEM-RES-02': {
      section: 'Resources',
      behaviour: 'A resource has the fields of the protocol in snake case; none is null.',
      owedBy: ['computer'],
    },
    'MEM-NAMES-01': {
      section: 'Exposed names',
      behaviour: 'A Computer lists names, configuration and errors in the form of the Agent that asks.',
      owedBy: ['computer'],
    },
    'MEM-AUTH-01': {
      section: 'Authorisation',
      behaviour: 'A tool whose MCP server answers 401 or 403 fails with 4006 or 4007 and a hint, as the vectors say.',
      owedBy: ['computer'],
    },
  },
} as const satisfies Ledger;
