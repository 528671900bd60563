import { type ToolboxServer, ToolSearch } from '@a2c/proxy';
import { verifies } from '@a2c/requirements';
import { describe, expect } from 'vitest';

const tool = (name: string, description: string, properties: Record<string, unknown> = {}) => ({
  name,
  description,
  inputSchema: { type: 'object', properties },
});

/** Servers of a small office: each tool has competitors that share words with it. */
const SERVERS: readonly ToolboxServer[] = [
  {
    name: 'mail',
    state: 'ready',
    tools: [
      tool('send_email', 'Sends a new email message'),
      tool('search_emails', 'Searches for email messages'),
      tool('delete_email', 'Permanently deletes an email message'),
      tool('create_filter', 'Creates a filter for new messages'),
    ],
  },
  {
    name: 'billing',
    state: 'ready',
    tools: [
      tool('create_invoice', 'Creates an invoice for a customer'),
      tool('list_invoices', 'Lists invoices'),
      tool('refund_payment', 'Refunds a payment'),
    ],
  },
  {
    name: 'files',
    state: 'ready',
    tools: [
      tool('list_directory', 'Lists the entries of a directory', { path: { type: 'string' } }),
      tool('create_directory', 'Creates a directory'),
      tool('move_file', 'Moves or renames a file', { source: { type: 'string' }, destination: { type: 'string' } }),
      tool('export_report', 'Exports a report', { format: { type: 'string', enum: ['spreadsheet', 'slides'] } }),
    ],
  },
  {
    name: 'browser',
    state: 'ready',
    tools: [
      tool('take_screenshot', 'Captures the visible page'),
      tool('get_console_logs', 'Returns the messages of the console'),
      tool('mute_alerts', 'Mutes alerts for a while'),
    ],
  },
  {
    name: '日历',
    state: 'ready',
    instructions: '管理日程',
    tools: [tool('event_add', '新建日程'), tool('event_list', '列出日程')],
  },
];

const search = new ToolSearch(SERVERS);
const best = (query: string) => search.find(query)[0]?.tool.name;

describe('search', () => {
  verifies('CHOICE-SEARCH-01', 'finds a tool by synonyms of its words', () => {
    expect(best('write to a colleague by mail')).toBe('send_email');
    expect(best('bill a client')).toBe('create_invoice');
    expect(best('what is in this folder')).toBe('list_directory');
    expect(best('silence notifications')).toBe('mute_alerts');
    expect(best('get rid of a letter')).toBe('delete_email');
  });

  verifies('CHOICE-SEARCH-01', 'does not mix up words that are alike in one sense only', () => {
    const tools = [
      tool('add_to_favorites', 'Adds an entity to the favorites'),
      tool('list_collections', 'Lists the collections of a database'),
      tool('add_observations', 'Adds facts to the memory'),
      tool('list_directory', 'Lists a directory'),
    ];
    const all = new ToolSearch([{ name: 'all', state: 'ready', tools }]);
    expect(all.find('remember that Anna likes tea')[0]?.tool.name).toBe('add_observations');
    expect(all.find('what is in this folder')[0]?.tool.name).toBe('list_directory');
  });

  verifies('CHOICE-SEARCH-01', 'finds phrases whose words are apart, compounds and misspelt words', () => {
    expect(best('give the document another name')).toBe('move_file');
    expect(best('screen shot')).toBe('take_screenshot');
    expect(best('invioce list')).toBe('list_invoices');
    expect(best('subdirectory')).toBe(undefined);
  });

  verifies('CHOICE-SEARCH-01', 'takes a phrase apart that no tool has', () => {
    const tools = [tool('list_tabs', 'Lists the tabs'), tool('click', 'Clicks an element of the page')];
    const all = new ToolSearch([{ name: 'all', state: 'ready', tools }]);
    expect(all.find('hardware button')[0]?.tool.name).toBe('click');
    expect(all.find('press the button')[0]?.tool.name).toBe('click');
  });

  verifies('CHOICE-SEARCH-02', 'finds English tools with Chinese words, and Chinese tools with English words', () => {
    expect(best('给同事发邮件')).toBe('send_email');
    expect(best('列出发票')).toBe('list_invoices');
    expect(best('新建文件夹')).toBe('create_directory');
    expect(best('截图')).toBe('take_screenshot');
    expect(best('create an appointment in the calendar')).toBe('event_add');
    expect(best('列出日程')).toBe('event_list');
  });

  verifies('CHOICE-SEARCH-03', 'searches parameters, values and servers, and weighs a name most', () => {
    expect(best('destination')).toBe('move_file');
    expect(best('slides')).toBe('export_report');
    expect(search.find('日历')[0]?.server.name).toBe('日历');
    expect(search.find('billing').map(({ tool: { name } }) => name)).toContain('refund_payment');
    expect(best('filter')).toBe('create_filter');
  });

  verifies(
    'CHOICE-SEARCH-07',
    'a query of many words is cut, and few unknown words are compared with all terms',
    () => {
      const letters = [...'bcdfghjkm'];
      const unknown = letters.flatMap((first) => letters.map((second) => `q${first}${second}`));
      const after = (words: readonly string[], query: string) => best(`${words.join(' ')} ${query}`);
      expect(unknown.every((word) => best(word) === undefined)).toBe(true);
      expect(after(unknown.slice(0, 63), 'invoices')).toBe('list_invoices');
      expect(after(unknown.slice(0, 64), 'invoices')).toBe(undefined);
      // Words of three letters are not compared, and use up nothing.
      const long = unknown.map((word) => `${word}xz`);
      expect(after([...unknown.slice(0, 40), ...long.slice(0, 15)], 'invioces')).toBe('list_invoices');
      expect(after(long.slice(0, 16), 'invioces')).toBe(undefined);
      expect(after(long.slice(0, 16), 'invoices')).toBe('list_invoices');
    },
  );

  verifies('CHOICE-SEARCH-06', 'prefers the tool that does what is asked, and the server that is named', () => {
    const things = ['create', 'update', 'delete', 'list'].map((verb) => tool(`${verb}_ticket`, 'Works on tickets'));
    const servers = ['jira', 'zendesk'].map((name): ToolboxServer => ({ name, state: 'ready', tools: things }));
    const choice = new ToolSearch(servers);
    const first = (query: string) =>
      choice.find(query).map(({ server, tool: { name } }) => `${server.name} ${name}`)[0];
    expect(first('Which tickets are there?')).toBe('jira list_ticket');
    expect(first('Is there a ticket in Zendesk?')).toBe('zendesk list_ticket');
    expect(first('scrap a ticket in Zendesk')).toBe('zendesk delete_ticket');
    expect(first('有哪些工单')).toBe('jira list_ticket');
  });

  verifies('CHOICE-SEARCH-06', 'takes the compound words of names apart, as the description writes them', () => {
    const tools = [tool('keyvault_list', 'Lists what is in a Key Vault'), tool('door_list', 'Lists doors with a key')];
    expect(new ToolSearch([{ name: 'cloud', state: 'ready', tools }]).find('vault key')[0]?.tool.name).toBe(
      'keyvault_list',
    );
  });

  verifies('CHOICE-SEARCH-06', 'leaves room among the first tools for other servers', () => {
    const many = Array.from({ length: 9 }, (_, kind) =>
      tool(`list_number_${'abcdefghi'[kind]}`, 'Lists phone numbers'),
    );
    const servers: ToolboxServer[] = [
      { name: 'carrier', state: 'ready', tools: many },
      { name: 'people', state: 'ready', tools: [tool('number_card', 'Lists the phone numbers of people')] },
    ];
    const places = new ToolSearch(servers).find('phone number').map(({ server }) => server.name);
    expect(places.indexOf('people')).toBeGreaterThan(-1);
    expect(places.indexOf('people')).toBeLessThan(5);
  });

  verifies('CHOICE-SEARCH-03', 'cuts a query of any length, so that it cannot block the proxy', () => {
    expect(best('send an email '.repeat(100_000))).toBe('send_email');
    expect(search.find('邮件'.repeat(500_000)).length).toBeGreaterThan(0);
  });

  verifies('CHOICE-SEARCH-07', 'cuts texts of tools of any length, and still finds the tool by their beginning', () => {
    const long = (text: string) => `${text} ${'中国人民 abc'.repeat(1_000_000)}`;
    const hostile: ToolboxServer = {
      name: 'hostile',
      state: 'ready',
      instructions: long('Weather for everyone'),
      tools: [
        {
          ...tool('x', long('Shows the temperature'), {
            [long('city')]: {
              type: 'string',
              description: long('where it is'),
              enum: [long('oslo'), { a: long('b') }],
            },
          }),
          title: long('Forecast'),
          annotations: { title: long('Sunshine') },
        },
      ],
    };
    const before = process.cpuUsage();
    const found = new ToolSearch([hostile, ...SERVERS]);
    for (const query of ['forecast', 'sunshine', 'temperature', 'city', 'oslo', 'weather']) {
      expect(found.find(query)[0]?.tool.name, query).toBe('x');
    }
    const { user, system } = process.cpuUsage(before);
    // 90 MB of text take more than ten seconds if all of it is split into words.
    expect(user + system).toBeLessThan(3_000_000);
  });

  verifies('CHOICE-SEARCH-03', 'finds each of very many words', () => {
    // Words without endings that stand for another form.
    const word = (at: number) => `q${[...`${at}`].map((digit) => 'bcdfghjkmn'[Number(digit)]).join('')}w`;
    const tools = Array.from({ length: 1_500 }, (_, at) =>
      tool(`t${at}`, Array.from({ length: 30 }, (_, place) => word(30 * at + place)).join(' ')),
    );
    const many = new ToolSearch([{ name: 'many', state: 'ready', tools }]);
    for (let at = 0; at < tools.length; at += 50) expect(many.find(word(30 * at + 7))[0]?.tool.name).toBe(`t${at}`);
  });

  verifies('CHOICE-SEARCH-03', 'gives the same order every time, and nothing for words that mean nothing', () => {
    expect(search.find('list')).toEqual(new ToolSearch(SERVERS).find('list'));
    expect(search.find('the of and')).toEqual([]);
    expect(search.find('')).toEqual([]);
    expect(search.find('𠜎𠜱 \u0000 ��')).toEqual([]);
  });
});

describe('hints', () => {
  const servers: readonly ToolboxServer[] = [
    {
      name: 'code',
      state: 'ready',
      tools: [
        tool('git_stash', 'Manage stashes: save current changes, restore them'),
        tool('git_status', 'Show the working tree status'),
        tool('git_commit', 'Create a new commit'),
        tool('create_note', 'Create a note on an issue. This does not notify members'),
        tool('my_issues', 'List issues assigned to the authenticated user'),
        tool('assign_issue', 'Assign an issue to a user'),
        tool('set_orientation', 'Change the screen orientation of the device'),
        tool('lint_github', 'Lint the sources of a GitHub repository'),
      ],
    },
  ];
  const hints = new ToolSearch(servers);
  const first = (query: string) => hints.find(query)[0]?.tool.name;

  verifies('CHOICE-SEARCH-01', 'a tool matches some words of what people say for it, in another order', () => {
    // What people say for `stash`: "half finished", "unfinished work".
    expect(first('the work is finished by half')).toBe('git_stash');
    expect(hints.find('half').map(({ tool }) => tool.name)).toEqual(['git_stash']);
  });

  verifies('CHOICE-SEARCH-06', 'prefers the tool whose name has no further words', () => {
    const issues = new ToolSearch([
      {
        name: 's',
        state: 'ready',
        tools: [
          tool('create_issue_emoji_reaction', 'Adds to an issue of a project'),
          tool('create_issue', 'Adds to an issue of a project'),
        ],
      },
    ]);
    expect(issues.find('open an issue in a project')[0]?.tool.name).toBe('create_issue');
  });

  verifies('CHOICE-SEARCH-01', 'what people say points to the words of tools, and not back', () => {
    expect(first('put my unfinished work aside for later')).toBe('git_stash');
    expect(first('手头的改动先放一边')).toBe('git_stash');
    expect(first('turn the phone sideways')).toBe('set_orientation');
    expect(hints.find('which tickets are assigned to me').map(({ tool }) => tool.name)).toContain('my_issues');
    // "upright" and "sideways" both point to the orientation, and not to each other.
    const upright = new ToolSearch([
      {
        name: 's',
        state: 'ready',
        tools: [tool('a', 'Shows an upright picture'), tool('b', 'Changes the orientation')],
      },
    ]);
    expect(upright.find('sideways').map(({ tool }) => tool.name)).toEqual(['b']);
  });

  verifies('CHOICE-SEARCH-01', 'brand names are one word, and "not" is no note', () => {
    expect(first('GitHub')).toBe('lint_github');
    expect(hints.find('hub').map(({ tool }) => tool.name)).toEqual([]);
    expect(first('write notes')).toBe('create_note');
    const negated = new ToolSearch([{ name: 's', state: 'ready', tools: [tool('x', 'Does not read')] }]);
    expect(negated.find('note')).toEqual([]);
  });
});
