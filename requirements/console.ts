import type { Ledger } from './requirement.js';

const owedBy = ['console'] as const;

/** The console: see and steer a2c in a browser. */
export const console = {
  document: 'The console',
  requirements: {
    'CON-VIEW-01': {
      section: 'Views',
      behaviour:
        'Offices: who is connected, since when, from where, with which protocol; joins, leaves and refusals as they happen; limits.',
      owedBy: ['console', 'server'],
    },
    'CON-VIEW-02': {
      section: 'Views',
      behaviour:
        'Calls, live: the time of each part, state, size, error with a remedy; filter, pause, cancel; the audit record.',
      owedBy: ['console', 'server'],
    },
    'CON-VIEW-03': {
      section: 'Views',
      behaviour:
        'Computer: servers with state and log; start, stop, restart, add, edit, remove; inputs whose secrets are never shown.',
      owedBy: ['console', 'computer'],
    },
    'CON-VIEW-04': {
      section: 'Views',
      behaviour: 'Tools: search, type, a form from the schema, run, progress, cancel, every kind of result, copy.',
      owedBy,
    },
    'CON-VIEW-05': { section: 'Views', behaviour: 'Desktop: windows are shown as they change.', owedBy },
    'CON-VIEW-06': {
      section: 'Views',
      behaviour: 'Context: the tokens of the tool lists against those of the proxy, per server.',
      owedBy,
    },
    'CON-VIEW-07': {
      section: 'Views',
      behaviour: 'Consent questions appear above every view and are answered there.',
      owedBy: ['console', 'computer'],
    },
    'CON-TALK-01': {
      section: 'Interface',
      behaviour: 'The operator interface is typed, checked, documented, and usable without the page.',
      owedBy,
    },
    'CON-TALK-02': {
      section: 'Interface',
      behaviour: 'Calls of operators take no seat in an office, and a call with the same id runs once.',
      owedBy,
    },
    'CON-TALK-03': {
      section: 'Interface',
      behaviour: 'Every change is an event of one stream; nothing polls.',
      owedBy: ['console', 'protocol'],
    },
    'CON-ACCESS-01': {
      section: 'Access',
      behaviour:
        'On loopback, a token per start in the link is exchanged for a cookie that is HttpOnly and SameSite=Strict.',
      owedBy,
    },
    'CON-ACCESS-02': {
      section: 'Access',
      behaviour: 'Requests with another Host or Origin are refused.',
      owedBy,
    },
    'CON-ACCESS-03': {
      section: 'Access',
      behaviour: 'The page has a strict Content-Security-Policy without inline script, and at most 60 KB compressed.',
      owedBy,
    },
    'CON-ACCESS-04': {
      section: 'Access',
      behaviour: 'On other addresses only the authentication of the Server with the operator right gives access.',
      owedBy,
    },
    'CON-ACCESS-05': {
      section: 'Access',
      behaviour: 'No configuration, log, error or event contains a secret; results of tools are not filtered.',
      owedBy,
    },
    'CON-ACCESS-06': { section: 'Access', behaviour: 'Every change is in the audit log, without values.', owedBy },
    'CON-ACCESS-07': {
      section: 'Access',
      behaviour: 'Script in the output of a tool stays text.',
      owedBy,
    },
    'CON-ACCESS-08': {
      section: 'Access',
      behaviour: 'A logout ends the session in the host: its cookie and its streams, also after a restart.',
      owedBy,
    },
    'CON-ACCESS-09': {
      section: 'Access',
      behaviour:
        'The number of open streams, a body before authentication and the queue of a page that does not read are limited; large arguments and results lock no page out.',
      owedBy,
    },
    'CON-ACCESS-10': {
      section: 'Access',
      behaviour:
        'A cookie alone gives no access: browsers send it to the other ports of a host, which can also set it.',
      owedBy,
    },
    'CON-ACCESS-11': {
      section: 'Access',
      behaviour:
        'A program that has the port while the host is stopped receives nothing from an open page that gives access later.',
      owedBy,
    },
    'CON-ACCESS-12': {
      section: 'Access',
      behaviour:
        'Each start has an origin of its own: what other programs left in a browser under its port, such as service workers, sees no link, and what browsers have stored gives no access after the next start.',
      owedBy,
    },
    'CON-REVIEW-01': {
      section: 'Approvals',
      behaviour:
        'A person sees all that they approve: what does not fit is announced with its amount, and nothing can be approved before all of it was shown.',
      owedBy,
    },
    'CON-REVIEW-02': {
      section: 'Approvals',
      behaviour: 'In texts that a person approves, unusual blanks are codes and long runs of blanks are counted.',
      owedBy,
    },
    'CON-REVIEW-03': {
      section: 'approvals',
      behaviour:
        'The question of the shell shows where it leaves out parts of long arguments, and all of them on request.',
      owedBy: ['cli'],
    },
    'CON-PAGE-01': {
      section: 'Page',
      behaviour: 'No violation of WCAG 2.1 AA in any view, light and dark, in English and Chinese.',
      owedBy,
    },
    'CON-PAGE-02': {
      section: 'Page',
      behaviour: 'Every view fits from 360 pixels to wide screens and works with the keyboard alone.',
      owedBy,
    },
    'CON-PAGE-03': {
      section: 'Page',
      behaviour: 'Lists render only visible rows: 100 servers and 2,000 tools, and 10,000 calls per minute.',
      owedBy,
    },
    'CON-PAGE-04': {
      section: 'Page',
      behaviour: 'Several browsers show the same; an open page comes back by itself after a restart.',
      owedBy,
    },
    'CON-PAGE-05': {
      section: 'Page',
      behaviour:
        'The first page says what a2c is and leads, without other documents, to a tool, a call of an agent and its question.',
      owedBy,
    },
    'CON-PAGE-06': {
      section: 'Page',
      behaviour:
        'The first view does not wait for lists: 100 servers and 2,000 tools cost little more than one server.',
      owedBy,
    },
    'CON-PAGE-07': {
      section: 'Page',
      behaviour: 'Failures are explained in the language of the user, each with a remedy that fits.',
      owedBy: ['console', 'cli'],
    },
    'CON-PAGE-08': {
      section: 'Page',
      behaviour:
        'The page stays usable whatever a tool lists or returns: forms, tables and trees are limited in fields, columns and depth, also where schemas refer to themselves or are invalid. What is left out can be entered or opened.',
      owedBy,
    },
    'CON-HOST-02': {
      section: 'Hosts',
      behaviour: 'Of several nodes, the console of each shows its own connections and the calls of its Agents.',
      owedBy,
    },
    'CON-HOST-01': {
      section: 'Hosts',
      behaviour: '`a2c computer run --console` serves the console of the owner on a port of its own.',
      owedBy,
    },
  },
} as const satisfies Ledger;
