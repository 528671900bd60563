// Does a question find its tool? Recall of the search over public servers, and its speed with 2,000 tools.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ToolSearch } from '@a2c/proxy';
import { median, quick, table } from './table.js';

const shared = process.env.A2C_SHARED ?? fileURLToPath(new URL('../../shared', import.meta.url));

export default function bench() {
  const rows = [...gradedRows(), ...paraphraseRows()];
  if (rows.length > 0) table(rows);
  const servers = corpus();
  if (servers.length === 0) return;
  console.log();
  table(speed(servers));
}

/** The tool lists of public servers. */
function corpus() {
  const folder = `${shared}/corpus`;
  if (!existsSync(folder)) {
    console.log(`no corpus at ${folder}: set A2C_SHARED to measure the search over public servers`);
    return [];
  }
  return readdirSync(folder)
    .toSorted()
    .map((file) => ({
      name: file.slice(0, -'.json'.length),
      state: 'ready',
      tools: JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')).tools,
    }));
}

/** Recall@k as the set defines it: the share of a question's relevant tools among the first k. */
function gradedRows() {
  const folder = `${shared}/search`;
  if (!existsSync(folder)) {
    console.log(`no graded questions at ${folder}: set A2C_SHARED to measure them`);
    return [];
  }
  const { tools } = JSON.parse(readFileSync(`${folder}/tools.json`, 'utf8'));
  const { queries } = JSON.parse(readFileSync(`${folder}/golden.json`, 'utf8'));
  const names = [...new Set(tools.map(({ server }) => server))];
  const servers = names.map((name) => ({
    name,
    state: 'ready',
    tools: tools
      .filter(({ server }) => server === name)
      .map(({ tool, description }) => ({ name: tool, description, inputSchema: {} })),
  }));
  const search = new ToolSearch(servers);
  const questions = queries.map(({ query, labels }) => {
    const found = search.find(query).map(({ server, tool }) => `${server.name}:${tool.name}`);
    const relevant = labels.filter(({ relevance }) => relevance >= 1).map(({ tool_id }) => tool_id);
    return { query, ranks: relevant.map((id) => found.indexOf(id)) };
  });
  const recall = (k) =>
    mean(questions.map(({ ranks }) => ranks.filter((rank) => rank >= 0 && rank < k).length / ranks.length));
  return [row('47 graded questions, 45 tools', questions, recall)];
}

/** The questions of a file of this folder: right if one of the accepted tools is among the first k. */
function questionsIn(file, search) {
  const lines = readFileSync(new URL(`./search/${file}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#') && line.includes(' = '));
  return lines.map((line, index) => {
    const [query, accepted] = line.split(' = ');
    const wanted = accepted.split(', ');
    const found = search.find(query);
    const rank = found.findIndex(
      ({ server, tool }) => wanted.includes(tool.name) || wanted.includes(`${server.name}:${tool.name}`),
    );
    const isChinese = /\p{Script=Han}/u.test(query);
    return { query, wanted, found, ranks: [rank], isMeasuredOnly: index % 2 === 1, isChinese };
  });
}

export function paraphraseRows() {
  const servers = corpus();
  if (servers.length === 0) return [];
  const search = new ToolSearch(servers);
  const questions = questionsIn('paraphrases.txt', search);
  const practice = questionsIn('practice.txt', search);
  if (process.env.MISSES) showMisses([...questions.filter(({ isMeasuredOnly }) => !isMeasuredOnly), ...practice]);
  const part = (name, chosen) =>
    row(`${chosen.length} ${name}`, chosen, (k) =>
      mean(chosen.map(({ ranks: [rank] }) => (rank >= 0 && rank < k ? 1 : 0))),
    );
  return [
    part('paraphrased questions, 1,609 tools', questions),
    part(
      'of these English',
      questions.filter(({ isChinese }) => !isChinese),
    ),
    part(
      'of these Chinese',
      questions.filter(({ isChinese }) => isChinese),
    ),
    part(
      'of these used for tuning',
      questions.filter(({ isMeasuredOnly }) => !isMeasuredOnly),
    ),
    part(
      'of these that hints were written with',
      questions.filter(({ isMeasuredOnly }) => isMeasuredOnly),
    ),
    part('further questions used for tuning', practice),
    part('questions for other tools, written and graded before any result was seen', questionsIn('fresh.txt', search)),
    part('questions for random tools, written later and in the same way', questionsIn('unseen.txt', search)),
    part('questions for random tools, written before the ranking was changed', questionsIn('later.txt', search)),
    part('questions written after the first search, used for tuning since', questionsIn('held-out.txt', search)),
    part('of the last ones as the text of `query` asks for them', questionsIn('as-asked.txt', search)),
  ];
}

function showMisses(questions) {
  for (const { query, wanted, found, ranks } of questions) {
    if (ranks[0] >= 0 && ranks[0] < 5) continue;
    const first = found.slice(0, 5).map(({ tool, score }) => `${tool.name} ${score.toFixed(1)}`);
    console.log(`${query}\n   wanted ${wanted.slice(0, 3)} (${ranks[0] + 1}), found ${first.join(', ')}`);
  }
}

function row(questions, results, recall) {
  const reciprocal = results.map(({ ranks }) =>
    Math.max(0, ...ranks.filter((rank) => rank >= 0).map((rank) => 1 / (rank + 1))),
  );
  return {
    questions,
    'R@1': recall(1).toFixed(3),
    'R@3': recall(3).toFixed(3),
    'R@5': recall(5).toFixed(3),
    'R@10': recall(10).toFixed(3),
    MRR: mean(reciprocal).toFixed(3),
  };
}

function speed(servers) {
  const tools = servers.flatMap(({ tools }) => tools);
  const many = Array.from({ length: 2_000 }, (_, index) => tools[index % tools.length]);
  const search = new ToolSearch([{ name: 's', state: 'ready', tools: many }]);
  const times = Array.from({ length: quick(21, 101) }, () => {
    const start = performance.now();
    search.find('send the weekly report to all members of the team');
    return performance.now() - start;
  });
  return [
    {
      tools: many.length,
      'first query, with the index': `${times[0].toFixed(0)} ms`,
      'query, median': `${median(times).toFixed(2)} ms`,
    },
  ];
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
