import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifies } from '@a2c/requirements';
import { allowAnonymous, apiKey, listen } from '@a2c/server';
import { io } from 'socket.io-client';
import { describe, expect, onTestFinished } from 'vitest';
import { Workplace, workshop } from './a2c.js';
import { KEYS, Person } from './terminal.js';

const INPUTS = [
  { id: 'API_TOKEN', type: 'promptString', description: 'API token for the server', default: null, password: true },
  {
    id: 'REGION',
    type: 'pickString',
    description: 'Select deployment region',
    options: ['us-east-1', 'eu-west-1'],
    default: 'us-east-1',
  },
];

const office = (fields: object = {}) =>
  new Workplace({
    'servers.json': [workshop('loaded', fields, { TOKEN: '${input:API_TOKEN}', REGION: '${input:REGION}' })],
    'inputs.json': INPUTS,
    'server_stdio.json': workshop(
      'added',
      { tool_meta: {} },
      { WORKSHOP_TOOLS: '[{"name":"saw","inputSchema":{"type":"object"}}]' },
    ),
  });

const FILES = ['run', '--config', '@./servers.json', '--inputs', '@./inputs.json'];

/** The third example of the document. */
const SSE_EXAMPLE = `{
  "name": "my-sse",
  "type": "sse",
  "disabled": false,
  "forbidden_tools": ["dangerous_tool"],
  "tool_meta": {},
  "server_parameters": {
    "url": "https://example.com/sse",
    "headers": null,
    "timeout": 20.0,
    "sse_read_timeout": 60.0
  }
}`;

describe('the interactive shell', () => {
  verifies('SHELL-LINES-01', 'accepts pasted JSON with several lines, with and without bracketed paste', async () => {
    const place = office();
    const person = new Person(place, ['--no-auto-connect']);
    await person.sees('a2c> ');
    expect(person.raw).toContain('\u001b[?2004h');
    person.types('server add ', SSE_EXAMPLE.replaceAll('\n', '\r'), KEYS.enter);
    expect(await person.sees('Server config added/updated')).not.toContain('Failed');
    await person.sees('a2c> ');
    const tabs = SSE_EXAMPLE.replace('my-sse', 'pasted').replaceAll('  ', '\t').replaceAll('\n', '\r');
    person.types('server add ', '\u001b[200~', tabs, '\u001b[201~', KEYS.enter);
    expect(await person.sees('Server config added/updated')).not.toContain('Failed');
    await person.sees('a2c> ');
    expect(await person.does('mcp')).toMatch(/my-sse +sse[\s\S]*pasted +sse/);
    // Ctrl-C discards an open statement.
    person.types('server add {', KEYS.enter);
    await person.sees('...> ');
    person.types('"name":', KEYS.ctrlC);
    await person.sees('a2c> ');
    expect(await person.does('status')).not.toContain('Failed');
    person.types('quit', KEYS.enter);
    expect(await person.leaves()).toBe(0);
    expect(person.raw).toContain('\u001b[?2004l');
    const lines = readFileSync(join(place.home, 'state', 'computer-history'), 'utf8').split('\n');
    expect(lines.filter((line) => line.startsWith('server add { "name": '))).toHaveLength(2);
    expect(lines).not.toContain('}');
  });

  verifies(
    [
      'COMP-FILE-04',
      'COMP-SHELL-01',
      'COMP-SHELL-03',
      'COMP-SHELL-04',
      'COMP-SHELL-07',
      'COMP-INPUT-02',
      'SHELL-TERM-02',
    ],
    'follows the document from start to end, with its questions for inputs',
    async () => {
      const person = new Person(office(), FILES);
      await person.sees('API token for the server ');
      person.types('tok-1234x', '\u007f');
      await person.sees('********');
      person.types(KEYS.enter);
      await person.sees('Select deployment region');
      await person.sees('❯ 0 us-east-1');
      person.types(KEYS.down);
      await person.sees('❯ 1 eu-west-1');
      person.types(KEYS.enter);
      await person.sees("Enter interactive mode, type 'help' for commands");
      await person.sees('a2c> ');
      expect(await person.does('server add @./server_stdio.json')).toContain(
        'Server config added/updated and starting',
      );
      expect(await person.does('inputs load @./inputs.json')).toContain('Inputs updated');
      person.types('inputs value set API_TOKEN', KEYS.enter);
      await person.sees('API token for the server ');
      person.types('tok-1234');
      await person.sees('********');
      expect(await person.does('')).toContain('✅');
      expect(await person.does('start all')).toContain('All servers started');
      const status = await person.does('status');
      expect(status).toMatch(/loaded +Yes +connected +\d+/);
      expect(status).toMatch(/added +Yes +connected +1/);
      expect(await person.does('tools')).toMatch(/saw +added/);
      expect(await person.does('mcp')).toMatch(/API_TOKEN +promptString/);
      expect(await person.does('render {"env":"${input:API_TOKEN}"}')).toContain('"env": "tok-1234"');
      expect(await person.does('tc {"tool_name":"environment","params":{"name":"REGION"}}')).toContain('eu-west-1');
      const asked = person.screen.slice(0, person.screen.indexOf('a2c> '));
      expect(asked).not.toContain('tok-1234');
      person.types('quit', KEYS.enter);
      await person.sees('Bye');
      expect(await person.leaves()).toBe(0);
    },
  );

  verifies(
    ['SHELL-TERM-03', 'NEW-ERROR-01'],
    'asks for consent before a tool runs: no, yes, always, no answer',
    async () => {
      const tool = { name: 'saw', annotations: { destructiveHint: true }, inputSchema: { type: 'object' } };
      const place = new Workplace({
        'servers.json': [workshop('w', { default_tool_meta: null }, { WORKSHOP_TOOLS: JSON.stringify([tool]) })],
      });
      const person = new Person(place, ['-c', 'servers.json']);
      await person.sees('a2c> ');
      const call = async (answer: string) => {
        person.types('tc {"tool_name":"saw","params":{"wood":"oak"}}', KEYS.enter);
        const question = await person.sees('none of this Agent: ');
        for (const part of ['server: w', 'tool: saw', '"wood": "oak"', 'may destroy data', 'this shell'])
          expect(question).toContain(part);
        person.types(answer, KEYS.enter);
        return person.sees('a2c> ');
      };
      // The message appears once, in the language of the shell.
      expect(await call('n')).toMatch(/^n\s*❌ the user of the Computer denied this call\s*$/);
      expect(await call('y')).toContain('called saw');
      // Other words ask again.
      person.types('tc {"tool_name":"saw","params":{}}', KEYS.enter);
      for (const word of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'yess', '']) {
        await person.sees('none of this Agent: ');
        person.types(word, KEYS.enter);
      }
      await person.sees('none of this Agent: ');
      await person.typesInPieces('否');
      person.types(KEYS.enter);
      expect(await person.sees('a2c> ')).toContain('the user of the Computer denied this call');
      // Long arguments are shortened, but none is left out.
      const params = { pad: 'x'.repeat(1_500), list: ['y'.repeat(1_000)], command: 'rm -rf everything' };
      person.types(`tc {"tool_name":"saw","params":${JSON.stringify(params)}}`, KEYS.enter);
      await person.sees('Tool call needs consent');
      const shown = await person.sees('none of this Agent: ');
      expect(shown).toContain('"command": "rm -rf everything"');
      expect(shown).toMatch(/"pad": "x{200}… \(1,200 characters left out\) …x{100}"/);
      expect(shown).toContain('(700 characters left out)');
      expect(shown).toContain('Type "show" to see all.');
      person.types('show', KEYS.enter);
      expect(await person.sees('none of this Agent: ')).toContain(`"pad": "${'x'.repeat(1_500)}"`);
      person.types(KEYS.ctrlC);
      expect(await person.sees('a2c> ')).toContain('the user of the Computer denied this call');
      person.types('tc {"tool_name":"saw","params":{},"timeout":1}', KEYS.enter);
      await person.sees('none of this Agent: ');
      await person.sees('The question expired: the call ended without an answer');
      await person.sees('a2c> ');
      expect(await call('a')).toContain('called saw');
      expect(await person.does('tc {"tool_name":"saw","params":{}}')).toContain('called saw');
      person.types(KEYS.ctrlD);
      await person.sees('Bye');
      expect(await person.leaves()).toBe(0);
    },
  );

  verifies('SHELL-TERM-03', 'shows the consent question of an Agent’s call and restores the typed line', async () => {
    const server = await listen({
      port: 0,
      authenticate: allowAnonymous,
      logger: { debug() {}, info() {}, warn() {}, error() {} },
    });
    onTestFinished(() => server.close());
    const agent = io(`${server.url}/smcp`, { forceNew: true });
    onTestFinished(() => void agent.disconnect());
    await new Promise((resolve) =>
      agent.emit('server:join_office', { role: 'agent', name: 'bot', office_id: 'o' }, resolve),
    );
    const place = new Workplace({ 'servers.json': [workshop('w', { default_tool_meta: null })] });
    const person = new Person(place, ['-c', 'servers.json', '--url', server.url, '--office', 'o', '--name', 'pc']);
    await person.sees('Connected via CLI options');
    await person.sees('a2c> ');
    person.types('hist');
    await person.sees('hist');
    const request = {
      agent: 'bot',
      req_id: '1',
      computer: 'pc',
      tool_name: 'echo',
      params: { message: 'hi' },
      timeout: 20,
    };
    const answer = agent.emitWithAck('client:tool_call', request);
    expect(await person.sees('none of this Agent: ')).toContain('requested by: bot');
    // Keys that continue the typed line are not an answer.
    person.types('art all', KEYS.enter);
    await person.sees('none of this Agent: ');
    person.types('yes', KEYS.enter);
    expect(await answer).toMatchObject({ content: [{ text: 'hi' }] });
    await person.sees('a2c> hist');
    person.types('ory', KEYS.enter);
    expect(await person.sees('a2c> ')).toContain('"agent": "bot"');
    const late = agent.emitWithAck('client:tool_call', { ...request, req_id: '2', timeout: 1 });
    await person.sees('none of this Agent: ');
    expect(await late).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('确认超时') }] });
    await person.sees('The question expired: the call ended without an answer');
    await person.sees('a2c> ');
    expect(await person.does('status')).toMatch(/connected +http/);
  });

  verifies('SHELL-TERM-01', 'text that arrives with a finished line stays before what is typed next', async () => {
    const person = new Person(office(), ['--no-auto-connect']);
    await person.sees('a2c> ');
    for (const rest of ['stat', '\u001b[200~stat\u001b[201~']) {
      person.types('status', KEYS.enter, rest);
      await person.sees('Server');
      await person.sees('a2c> stat');
      person.types('us nosuch', KEYS.enter);
      await person.sees('Not found: nosuch');
      await person.sees('a2c> ');
    }
    person.types('quit', KEYS.enter);
    expect(await person.leaves()).toBe(0);
  });

  verifies('SHELL-TERM-04', 'says why a session ended, and that the connection is back', async () => {
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    const first = await listen({ port: 0, authenticate: allowAnonymous, logger });
    const port = Number(new URL(first.url).port);
    const person = new Person(new Workplace(), ['--url', first.url, '--office', 'o', '--name', 'pc']);
    await person.sees('Connected via CLI options');
    await first.close();
    await person.sees('disconnected: the server or the network closed the connection');
    const second = await listen({ port, authenticate: allowAnonymous, logger });
    await person.sees(`connected again to ${first.url}`);
    await second.close();
    const third = await listen({ port, authenticate: apiKey('k'), logger });
    onTestFinished(() => third.close());
    await person.sees('the session has ended: unknown credentials');
    person.types('status', KEYS.enter);
    await person.sees('SocketIO: not connected, because the session has ended: unknown credentials');
    person.types('quit', KEYS.enter);
    expect(await person.leaves()).toBe(0);
  });

  verifies('SHELL-TERM-01', 'edits, completes, interrupts, and keeps a history', async () => {
    const place = new Workplace({ 'servers.json': [workshop('w')] });
    const person = new Person(place, ['-c', 'servers.json']);
    await person.sees('a2c> ');
    person.types('inputs va', KEYS.tab);
    await person.sees('inputs value ');
    person.types('li', KEYS.tab);
    await person.sees('st ');
    person.types(KEYS.enter);
    expect(await person.sees('a2c> ')).toContain('{}');
    person.types('sttus', KEYS.left.repeat(3), 'a', KEYS.enter);
    await person.sees('MCP Servers Status');
    await person.sees('a2c> ');
    person.types('rubbish', KEYS.ctrlC);
    person.types('tc {"tool_name":"sleep","params":{"ms":60000}}', KEYS.enter);
    await person.sees('60000}}');
    await person.sees('\n'); // the command runs
    person.types(KEYS.ctrlC);
    expect(await person.sees('a2c> ')).toContain('❌ Tool call cancelled');
    // Typed ahead in one chunk.
    person.types('inputs value list\rinputs list\rhistory\r');
    await person.sees('"tool": "sleep"');
    await person.sees('a2c> ');
    expect(await person.does('inputs value set X hunter22')).toContain('Not found: X');
    person.types('exit', KEYS.enter);
    await person.sees('Bye');
    expect(await person.leaves()).toBe(0);
    const kept = readFileSync(join(place.home, 'state', 'computer-history'), 'utf8');
    expect(kept).toContain('status\n');
    expect(kept).not.toContain('hunter22');

    const ended = new Person(place, ['-c', 'servers.json']);
    await ended.sees('a2c> ');
    ended.signal('SIGTERM');
    await ended.sees('Bye');
    expect(await ended.leaves()).toBe(0);

    place.write('slow.json', [workshop('slow', {}, { WORKSHOP_DELAY: '60000' })]);
    const hasty = new Person(place, ['-c', 'slow.json']);
    await hasty.sees('starting servers: 0/1 slow; Ctrl-C opens the prompt');
    // Typed ahead before the first prompt.
    hasty.types('status', KEYS.enter);
    await hasty.sees('starting servers: 0/1 slow');
    hasty.types(KEYS.ctrlC);
    await hasty.sees('a2c> status');
    expect(await hasty.sees('a2c> ')).toContain('MCP Servers Status');
    expect(await hasty.does('tools')).toContain('(none)');
    hasty.types(KEYS.ctrlD);
    expect(await hasty.leaves()).toBe(0);

    const again = new Person(place, []);
    await again.sees('a2c> ');
    again.types(KEYS.up.repeat(3)); // past the lines of the previous session
    await again.sees('exit');
    again.types(KEYS.enter);
    expect(await again.leaves()).toBe(0);
  });

  verifies(
    ['SHELL-TERM-01', 'SHELL-TERM-03'],
    'names and messages of servers cannot control the terminal',
    async () => {
      const evil = '\u001b]0;pwned\u0007';
      const tool = { name: 'evil', description: evil, inputSchema: { type: 'object' } };
      const forger = { name: 'ev\n  tool: safe', inputSchema: { type: 'object' } };
      const dies = `process.stderr.write(${JSON.stringify(evil)} + 'last-words'); process.exit(3)`;
      const place = new Workplace({
        'servers.json': [
          workshop('w', { default_tool_meta: null }, { WORKSHOP_TOOLS: JSON.stringify([tool, forger]) }),
          { name: 'd', type: 'stdio', server_parameters: { command: process.execPath, args: ['-e', dies] } },
        ],
      });
      const person = new Person(place, ['-c', 'servers.json', '--no-auto-reconnect']);
      await person.sees('last-words');
      await person.sees('a2c> ');
      await person.does('tools');
      await person.does('status');
      await person.does(`render {"a":"\${input:NO\\u001b]0;pwned\\u0007}"}`);
      await person.does(`server add {"name":"n","type":"stdio","\\u001b]0;pwned\\u0007":1}`);
      person.types('tools ev', KEYS.tab, KEYS.tab, KEYS.ctrlC);
      person.types(`tc {"tool_name":"evil","params":{"x":"\\u001b]0;pwned\\u0007\\n  tool: safe"}}`, KEYS.enter);
      expect(await person.sees('none of this Agent: ')).not.toMatch(/^ *tool: safe/m);
      person.types('no', KEYS.enter);
      await person.sees('a2c> ');
      person.types('quit', KEYS.enter);
      expect(await person.leaves()).toBe(0);
      expect(person.raw).not.toContain('\u001b]');
      expect(person.raw).not.toContain('\u0007');
    },
  );

  verifies('SHELL-TERM-01', 'Ctrl-C ends a command or a question', async () => {
    const place = new Workplace({ 'servers.json': [workshop('stuck', {}, { WORKSHOP_STUCK: 'initialize' })] });
    const person = new Person(place, ['-c', 'servers.json', '--no-auto-connect']);
    await person.sees('a2c> ');
    person.types('start stuck', KEYS.enter);
    await person.sees('starting servers: 0/1 stuck');
    person.types(KEYS.ctrlC);
    expect(await person.sees('a2c> ')).toContain('Interrupted; the operation may continue in the background');
    expect(await person.does('status')).toMatch(/stuck +Yes/);
    person.types('start stuck', KEYS.enter);
    await person.sees('starting servers: 0/1 stuck');
    person.signal('SIGTERM');
    await person.sees('Bye');
    expect(await person.leaves()).toBe(0);

    const asked = new Person(place, []);
    await asked.sees('a2c> ');
    asked.types('socket connect', KEYS.enter);
    await asked.sees("URL [default: 'http://127.0.0.1:7000']: ");
    asked.signal('SIGTERM');
    await asked.sees('Bye');
    expect(await asked.leaves()).toBe(0);

    const inputs = [{ id: 'TOKEN', type: 'promptString', description: 'The token', default: null }];
    place.write('inputs.json', inputs);
    place.write('asking.json', [workshop('w', {}, { TOKEN: '${input:TOKEN}' })]);
    const starting = new Person(place, ['-c', 'asking.json', '-i', 'inputs.json']);
    await starting.sees('The token ');
    starting.signal('SIGTERM');
    await starting.sees('Bye');
    expect(await starting.leaves()).toBe(0);
  });

  verifies(
    ['SHELL-TEXT-01', 'SHELL-TEXT-02'],
    'prints tables that fit, also in Chinese, with and without colours',
    async () => {
      const place = new Workplace();
      const person = new Person(place, ['--lang', 'zh'], { NO_COLOR: '' }, 40);
      await person.sees('进入交互模式');
      await person.sees('a2c> ');
      const help = await person.does('help');
      const width = (line: string) => [...line].reduce((sum, letter) => sum + (letter > '\u2e7f' ? 2 : 1), 0);
      expect(help).not.toContain('…');
      for (const line of help.split('\n')) expect(width(line.trimEnd()), line).toBeLessThanOrEqual(40);
      expect(person.raw).toContain('\u001b[36m可用命令');
      person.types('quit', KEYS.enter);
      await person.leaves();
      const plain = new Person(place, ['--no-color'], { NO_COLOR: '' });
      await plain.sees('a2c> ');
      await plain.does('help');
      expect(plain.raw).not.toContain('\u001b[36m');
      plain.types(KEYS.ctrlC);
      expect(await plain.leaves()).toBe(0);
    },
  );
});
