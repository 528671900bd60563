import { verifies } from '@a2c/requirements';
import { expect } from 'vitest';
import { expandPlaceholders, MASK, maskConfig, secretValues } from '../src/index.js';
import { parseEnvFile } from '../src/placeholders/env-file.js';
import { read } from './reading.js';

verifies('CONF-SHOW-01', 'masks secrets, but not placeholders and ordinary texts', () => {
  const secret = 'S3CRET';
  const config = read({
    servers: {
      s: {
        command: 'npx',
        args: [
          ...['-y', 'pkg', '--verbose', '--api-key', secret, `--token=${secret}`, `API_KEY=${secret}`],
          ...[
            '--header',
            `Authorization: Bearer ${secret}`,
            `https://u:${secret}@h.example/${secret}0123456789abcdef0123456789abcdef/p?key=${secret}#x`,
          ],
          ...[`sk-${secret}`, `ghp_${secret}`, `${secret}0123456789abcdef0123456789abcdef`, '--api-key', '${input:k}'],
        ],
        env: { PLAIN_NAME: secret, K: '${input:k}', D: `\${X:-${secret}}`, MIXED: `${secret}\${input:k}` },
      },
      t: {
        url: `https://u:${secret}@h.example/mcp?token=${secret}&k=\${env:K}`,
        headers: { 'X-Anything': secret, Authorization: 'Bearer ${input:k}' },
      },
    },
    inputs: [{ type: 'promptString', id: 'k', password: true, default: secret }],
  });
  const masked = maskConfig(config);
  expect(JSON.stringify(masked)).not.toContain(secret);
  expect(masked.servers[0]?.transport).toMatchObject({
    argv: expect.arrayContaining(['npx', '-y', 'pkg', '--verbose', '--token=********', '${input:k}']),
    env: { PLAIN_NAME: '********', K: '${input:k}', D: '${X:-********}', MIXED: '${input:k}********' },
  });
  expect(masked.servers[1]?.transport).toMatchObject({
    url: 'https://********@h.example/mcp?token=********&k=${env:K}',
    http_headers: { 'X-Anything': '********', Authorization: 'Bearer ${input:k}' },
  });
});

verifies('CONF-SHOW-02', 'does not mask paths, however long', () => {
  const argv = [
    '/home/alice/projects/weather/bin/mcp-server',
    '/srv/data2/customers/archive/until2019',
    '--root=/Users/alice/Documents/Projects2026/notes',
    'sleep 1; exec /opt/venvs/python3/bin/mcp-server-time',
  ];
  const keys = [
    '/k3yPartWithCapitals9AndDigitsOf32',
    '/0123456789abcdef0123456789abcdef',
    '/x9Qw3ePa/Lk8Zt2mVbG5s/Y7cR1pNs4Dj6Hf+U',
  ];
  const [command, ...args] = [...argv, ...keys];
  const config = read({ servers: { s: { command, args } } });
  expect(maskConfig(config).servers[0]?.transport).toMatchObject({ argv: [...argv, ...keys.map(() => '********')] });
});

verifies('CONF-SHOW-01', 'masks every transport and the commands of inputs', () => {
  const secret = 'S3CRET';
  const url = `https://e.example/?key=${secret}`;
  const headers = { 'X-Key': secret };
  const config = read({
    servers: [
      { name: 'a', type: 'sse', url, headers },
      { name: 'b', type: 'streamable', url, sse_url: url, headers },
      { name: 'c', type: 'unix', unix_path: '/run/c.sock' },
    ],
    inputs: [{ id: 'i', type: 'command', command: `vault --token ${secret} read`, args: { path: secret } }],
  });
  const masked = maskConfig(config);
  expect(JSON.stringify(masked)).not.toContain(secret);
  expect(masked.servers[2]).toEqual(config.servers[2]);
  expect(masked.inputs).toMatchObject([{ command: 'vault --token ******** read', args: { path: '********' } }]);
});

verifies('CONF-SHOW-01', 'finds the secrets that logs and errors must not contain, in each form', () => {
  const { servers } = read({
    servers: {
      s: {
        command: 'npx',
        args: ['-y', 'pkg', '--api-key', 'flag-secret', '--token=joined', 'https://u:pa%20ss@h.example/?key=of-args'],
        env: { TOKEN: 'of-env', KEY: 'key%2Fpart', HALF: 'half-\ud800', LOG_LEVEL: 'debug', HOME: '/' },
      },
      t: {
        url: 'https://user:hunter22@h.example/mcp?token=a%2Fb-query&page=second',
        headers: { Authorization: 'Bearer of-header' },
        oauth: { client_id: 'public', client_secret: 'of-client' },
      },
    },
  });
  const found = servers.map(secretValues);
  expect(found[0]).toEqual(
    expect.arrayContaining([
      'flag-secret',
      'joined',
      'pa%20ss',
      'pa ss',
      'u:pa%20ss',
      'of-args',
      'of-env',
      'key%252Fpart',
    ]),
  );
  expect(found[1]).toEqual(
    expect.arrayContaining(['hunter22', 'user:hunter22', 'a%2Fb-query', 'a/b-query', 'of-header', 'of-client']),
  );
  for (const ordinary of ['npx', 'pkg', 'debug', '/', 'public', 'second', 'u', 'user']) {
    expect(found.flat()).not.toContain(ordinary);
  }
});

verifies('CONF-SHOW-01', 'finds secrets as programs print them in JSON and base64', () => {
  const secret = 'line one\nsays "two"\\???>>>';
  const { servers } = read({
    servers: { s: { command: 'npx', env: { TOKEN: secret, LEVEL: 'debug', SHORT: 'abc' } } },
  });
  const found = servers.flatMap(secretValues);
  const bytes = Buffer.from(secret);
  expect(found).toEqual(
    expect.arrayContaining([
      secret,
      'line one\\nsays \\"two\\"\\\\???>>>',
      bytes.toString('base64'),
      bytes.toString('base64url'),
    ]),
  );
  expect(found.map(({ length }) => length)).toEqual(found.map(({ length }) => length).toSorted((a, b) => b - a));
  for (const ordinary of ['debug', 'abc']) expect(found).not.toContain(Buffer.from(ordinary).toString('base64'));
});

verifies('CONF-SHOW-01', 'finds secrets as programs print them in an address, also those with escapes', () => {
  const url = 'postgres://ann:pw%40x1@db.example/shop';
  const { servers } = read({ servers: { s: { command: 'npx', env: { DB_URL: url, TOKEN: 'abc%2Fkey+55==' } } } });
  const found = servers.flatMap(secretValues);
  for (const text of [url, 'abc%2Fkey+55==', 'abc/key+55==']) {
    const encoded = encodeURIComponent(text);
    expect(found).toContain(encoded);
    expect(found).toContain(encoded.replaceAll(/%../g, (code) => code.toLowerCase()));
  }
});

verifies('CONF-SHOW-01', 'finds secrets in every form of argument, also in a command line that is one argument', () => {
  const s = (id: number) => `S3cr3t${id}`;
  const known = [
    `sk-${s(1)}`,
    `ghp_${s(2)}`,
    `xoxb-${s(3)}`,
    'AKIAIOSFODNN7EXAMPLE',
    `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${s(4)}`,
    `sk_live_${s(5)}`,
  ];
  const argv = [
    ...['tool', `Bearer ${s(10)}`, `Authorization: ${s(11)}`, `Authorization: Basic ${s(12)}`],
    ...[`--header=X-Api-Key: ${s(13)}`, '-H', `X-Any: ${s(14)}`, '--header', `X-Other:${s(15)}`, `-HX-Key: ${s(16)}`],
    ...['--pat', s(17), '-p', s(18), '--password', s(19), `--password=${s(20)} in words`, '-u', `me:${s(21)}`],
    ...[
      `me:${s(22)}@h.example`,
      `--db=postgres://me:${s(23)}@h.example/db`,
      '--dsn',
      s(24),
      `https://h.example/#token=${s(25)}`,
    ],
    ...[`{"apiKey":"${s(26)}","nested":{"secret": "${s(27)}"}}`, `--env={"TOKEN":"${s(28)}"}`],
    ...known,
  ];
  const line = [
    `API_TOKEN=${s(40)} curl -H 'Authorization: Bearer ${s(41)}' --header="X-Api-Key: ${s(42)}" -u me:${s(43)}`,
    `"https://me:${s(44)}@h.example/?key=${s(45)}" | tool --pat ${s(46)} --password "${s(47)} x" Bearer ${s(48)}`,
    `&& python -c "api_key = '${s(49)}'" && mysql -p ${s(50)} ${known[0]} && sh -c 'x --token ${s(51)}'`,
  ].join(' ');
  const config = read({
    servers: {
      s: { command: 'node', args: ['server.js', ...argv.slice(1)] },
      t: { command: 'sh', args: ['-c', line] },
    },
  });
  const [first, second] = maskConfig(config).servers.map(({ transport }) => JSON.stringify(transport));
  expect(`${first}${second}`.match(/S3cr3t\d+|AKIA\w+/g)).toBeNull();
  const found = config.servers.flatMap(secretValues);
  const inFound = (text: string) => found.some((value) => text.includes(value));
  const missing = [...`${argv.join(' ')} ${line}`.matchAll(/S3cr3t\d+/g)].filter(([secret]) => !inFound(secret));
  // Those that are part of a longer secret: of known forms and of several words.
  expect(missing.map(([secret]) => secret)).toEqual([s(20), s(1), s(2), s(3), s(4), s(5), s(47), s(1)]);
  for (const word of ['curl', 'Authorization: Bearer ', 'h.example', 'mysql', 'python']) expect(second).toContain(word);
});

/** Ordinary texts that contain a password, and how they are shown. */
const WITH_PASSWORD: readonly (readonly [text: string, shown: string])[] = [
  ['postgres://app:Sup3r@Secr3tPassw0rd@127.0.0.1/x', `postgres://${MASK}@127.0.0.1/x`],
  ['amqp://app:Secr3t/Passw0rd@h/x', `amqp://${MASK}@h/x`],
  ['app:Sup3r@Secr3tPassw0rd@h', `app:${MASK}@h`],
  ['jdbc:mysql://app:Secr3tPassw0rd@127.0.0.1/x', `jdbc:mysql://${MASK}@127.0.0.1/x`],
  ['jdbc:oracle:thin:app/Secr3t@Passw0rd@//db:1521/x', `jdbc:oracle:thin:app/${MASK}@//db:1521/x`],
  [
    'jdbc:sqlserver://h:1433;user=sa;password=Secr3t@Passw0rd;encrypt=true',
    `jdbc:sqlserver://h:1433;user=sa;password=${MASK};encrypt=true`,
  ],
  ['Server=db;User Id=sa;Password=Secr3tPassw0rd;', `Server=db;User Id=sa;Password=${MASK};`],
  ['Password = Secr3t in words ; Server=db', `Password = ${MASK}; Server=db`],
  ['Server=db;Password="Secr3t;Passw0rd";Port=1', `Server=db;Password="${MASK}";Port=1`],
  ['Driver={SQL Server};PWD={Secr3t;Passw0rd}', `Driver={SQL Server};PWD={${MASK}}`],
  ['AccountName=x;AccountKey=Secr3tPassw0rd1234==;', `AccountName=x;AccountKey=${MASK};`],
  ['Endpoint=sb://u:Sup3r@Secr3t@h/;Port=1', `Endpoint=sb://${MASK}@h/;Port=1`],
  ['{"user":"sa","private_key":"Secr3t\\"Passw0rd"}', `{"user":"sa","private_key":"${MASK}"}`],
  [String.raw`run "{\"password\":\"Secr3tPassw0rd\"}"`, String.raw`run "{\"password\":\"********\"}"`],
  ['{"user":"sa","password":1234567890}', `{"user":"sa","password":${MASK}}`],
  [
    '{"credentials":{"user":"sa","value":["Secr3tPassw0rd"]}}',
    `{"credentials":{"user":"${MASK}","value":["${MASK}"]}}`,
  ],
  ['scott/Secr3tPassw0rd@db:1521/orcl', `scott/${MASK}@db:1521/orcl`],
  ['https://hooks.example/services/T01ABCDEF/aB1dE2gH3jK4mN5pQ6sT', `https://hooks.example/services/T01ABCDEF/${MASK}`],
  [
    'https://api.example/bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/x',
    `https://api.example/bot110201543:${MASK}/x`,
  ],
];

verifies('SEC-MASK-01', 'masks passwords in addresses, connection strings and JSON, and shows the rest', () => {
  const [texts, shown] = [0, 1].map((at) => WITH_PASSWORD.map((pair) => pair[at] as string)) as [string[], string[]];
  const config = read({
    servers: {
      s: { command: 'node', args: ['server.js', ...texts] },
      t: { url: 'http://app:Sup3r@Secr3tPassw0rd@127.0.0.1/x' },
    },
  });
  const [first, second] = maskConfig(config).servers;
  expect(first?.transport).toMatchObject({ argv: ['node', 'server.js', ...shown] });
  expect(second?.transport).toMatchObject({ url: `http://${MASK}@127.0.0.1/x` });
});

verifies('SEC-MASK-01', 'masks passwords behind flags that do not name them, by program', () => {
  for (const [line, shown] of [
    ['mysql -u root -pTigerSecret99', `mysql -u root -p${MASK}`],
    ['/usr/bin/mariadb-dump -pTigerSecret99 -u root', `/usr/bin/mariadb-dump -p${MASK} -u root`],
    ['ldapsearch -w TigerSecret99 -D cn=admin', `ldapsearch -w ${MASK} -D cn=admin`],
    ['redis-cli -a TigerSecret99', `redis-cli -a ${MASK}`],
    ['curl --proxy-user ann:TigerSecret99', `curl --proxy-user ${MASK}`],
    ['node server.js -pretty -w words -a b', 'node server.js -pretty -w words -a b'],
  ] as const) {
    const [command, ...args] = line.split(' ');
    const [first, second] = maskConfig(
      read({ servers: { s: { command, args }, t: { command: 'sh', args: ['-c', line] } } }),
    ).servers;
    expect(first?.transport).toMatchObject({ argv: shown.split(' ') });
    expect(second?.transport).toMatchObject({ argv: ['sh', '-c', shown] });
  }
});

verifies('SEC-MASK-01', 'finds these passwords alone, in arguments, behind a flag and in variables', () => {
  const passwords = [
    ...['Sup3r@Secr3tPassw0rd', 'Sup3r%40Secr3tPassw0rd', 'Secr3t/Passw0rd', 'Secr3t@Passw0rd', 'Secr3tPassw0rd'],
    ...['Secr3t;Passw0rd', 'Secr3tPassw0rd1234==', 'Secr3t"Passw0rd'],
  ];
  for (const arguments_ of [
    (text: string) => ({ args: [text] }),
    (text: string) => ({ args: ['--connection-string', text] }),
    (text: string) => ({ env: { CS: text } }),
  ]) {
    const { servers } = read({
      servers: Object.fromEntries(
        WITH_PASSWORD.map(([text], at) => [`s${at}`, { command: 'node', ...arguments_(text) }]),
      ),
    });
    expect(servers.flatMap(secretValues)).toEqual(expect.arrayContaining(passwords));
  }
  // As `URL` writes it.
  const { servers } = read({ servers: { s: { command: 'node', args: ['postgres://app:pa$s@w:rd@h/x'] } } });
  expect(servers.flatMap(secretValues)).toContain(new URL('postgres://app:pa$s@w:rd@h/x').password);
});

verifies('SEC-MASK-01', 'placeholders and texts without passwords stay as they are', () => {
  const args = [
    ...['Server=db;Password=${input:p};', 'jdbc:mysql://${input:u}:${input:p}@h/x', '--token=${input:k}'],
    ...['Server=db;User Id=sa;Encrypt=true', 'jdbc:sqlite:/srv/x.db', 'http://${HOST}:${PORT}/a@b', 'http://h:80/a@b'],
    ...['cd /srv; PORT=80 node server.js --name x', 'https://h.example/a;v=1/@scope/x', '{"user":"sa","level":"info"}'],
  ];
  const shown = args.map((text) => text.replace('${input:u}:${input:p}', '${input:u}${input:p}********'));
  const config = read({ servers: { s: { command: 'node', args } } });
  expect(maskConfig(config).servers[0]?.transport).toMatchObject({ argv: ['node', ...shown] });
});

verifies('CONF-SHOW-01', 'ordinary arguments stay visible', () => {
  const lines = [
    'npx -y -p typescript @scope/server-filesystem@1.2.3 /home/me/projects ./a:b --log-level debug --verbose',
    'docker run --rm -p 8080:80 --user=1000:1000 -u 1000:1000 -e LANG --volume=/srv/notes:/srv/notes:ro node:24@sha256:12',
    'uvx mcp-server-git --repository /srv/repo --key-file /srv/key.pem --token-url https://h.example/token',
    'node --inspect=127.0.0.1:9229 server.js sk-learn pk-tools http://127.0.0.1:7000/mcp -H Accept:text/html',
    'ssh -p 22 me@h.example mkdir -p /tmp/x npm:alias@1.2.3 --compat --path dist --passive',
  ];
  for (const line of lines) {
    const [command, ...args] = line.split(' ');
    for (const given of [args, ['-c', line], [...args, 'Read the basic rules: tokens are words', "it's: fine"]]) {
      const config = read({ servers: { s: { command, args: given } } });
      expect(maskConfig(config).servers[0]?.transport).toMatchObject({ argv: [command, ...given] });
      expect(config.servers.flatMap(secretValues)).toEqual([]);
    }
  }
});

verifies('COST-FILE-01', 'long texts of a file are searched for secrets in linear time', () => {
  const texts = [
    ...['a.'.repeat(100_000), `https://h.example/${'?'.repeat(200_000)}`, `https://u:${':@a'.repeat(70_000)}/`],
    ...['a:'.repeat(100_000), `x:${';a={'.repeat(50_000)}`, ';a="x'.repeat(40_000), `a=b;c${' '.repeat(200_000)}`],
    ...[`${'a="\\'.repeat(50_000)}`, `jdbc://${';a'.repeat(100_000)}`, ';password=${'.repeat(20_000)],
  ];
  const config = read({ servers: { s: { command: 'sh', args: ['-c', ...texts] } } });
  // Quadratic searches took minutes.
  expect(JSON.stringify(maskConfig(config).servers[0]?.transport).length).toBeGreaterThan(100);
});

verifies('COST-FILE-01', 'placeholders that are never closed are read and masked in linear time', async () => {
  const text = '${'.repeat(500_000);
  const config = read({ servers: { s: { command: 'sh', args: [text], env: { A: `\${X}${text}` } } } });
  expect(maskConfig(config).servers[0]?.transport).toMatchObject({ env: { A: `\${X}${MASK}` } });
  const context = { format: 'mcpx', env: {}, root: '/', home: '/', warn: () => {} } as const;
  await expect(expandPlaceholders(text, context)).rejects.toThrow('a "${" is never closed');
});

verifies('COST-FILE-01', 'long lines of a file of variables are read in linear time', () => {
  const blanks = ' '.repeat(200_000);
  expect(parseEnvFile(`A = 1${blanks}# x\nB=${blanks}"2 #3"${blanks}\nC=4#5${blanks}6 #7`)).toEqual({
    A: '1',
    B: '2 #3',
    C: `4#5${blanks}6`,
  });
});
