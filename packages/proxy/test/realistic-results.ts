/** Results as tools of public servers return them: lists, records, trees, series; small and large. */
export function realisticResults(): readonly unknown[] {
  return SHAPES.flatMap((shape) => [1, 4, 30].map((count) => shape(count)));
}

type Shape = (count: number) => unknown;

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const word = (index: number): string => WORDS[index % WORDS.length] as string;
const WORDS = 'alpha delta report kernel router invoice window customer branch signal'.split(' ');
const sentence = (index: number): string => times(5 + (index % 7), (at) => word(index * 3 + at)).join(' ');
const date = (index: number): string => `2026-03-${String(1 + (index % 28)).padStart(2, '0')}T08:15:00Z`;

const issue = (id: number) => ({
  id: 9_000 + id,
  title: `${sentence(id)}: "quoted", with commas`,
  state: id % 3 ? 'open' : 'closed',
  user: { login: word(id), id },
  labels: times(id % 3, (at) => ({ name: word(at), color: 'ff0000' })),
  assignee: id % 2 ? null : { login: word(id + 1) },
  created_at: date(id),
  body: `${sentence(id)}.\n\n- ${sentence(id + 1)}\n- ${sentence(id + 2)}`,
});

const SHAPES: readonly Shape[] = [
  (count) => times(count, issue),
  (count) => ({ total_count: count, incomplete_results: false, items: times(count, issue) }),
  (count) => times(count, (id) => ({ id, name: word(id), email: `${word(id)}@example.com`, active: id % 2 === 0 })),
  (count) => ({ columns: ['id', 'name'], rows: times(count, (id) => [id, word(id)]) }),
  (count) => ({
    results: times(count, (id) => ({ title: sentence(id), url: `https://example.com/${word(id)}?p=${id}` })),
  }),
  (count) => Object.fromEntries(times(count, (id) => [`${word(id)}_${id}`, { enabled: true, value: id * 1.5 }])),
  (count) => ({ name: 'root', children: times(count, (id) => ({ name: word(id), type: 'file', children: [] })) }),
  (count) => ({
    metric: 'cpu',
    points: times(count, (at) => [1_700_000_000 + 60 * at, Math.round(1_000 * Math.sin(at)) / 10]),
  }),
  (count) => ({
    type: 'FeatureCollection',
    features: times(count, (id) => ({
      type: 'Feature',
      properties: { name: word(id) },
      geometry: { type: 'Point', coordinates: [13.4 + id, 52.5] },
    })),
  }),
  (count) =>
    times(count, (id) => ({
      level: 'info',
      message: sentence(id),
      time: date(id),
      ...(id % 4 === 0 && { error: word(id) }),
    })),
  (count) => ({
    apiVersion: 'v1',
    kind: 'PodList',
    items: times(count, (id) => ({
      metadata: { name: `${word(id)}-${id}`, labels: { app: word(id) } },
      status: { phase: 'Running', podIP: `10.0.0.${id}` },
    })),
  }),
  (count) => ({
    channel: 'general',
    messages: times(count, (id) => ({ user: word(id), text: `${sentence(id)}!`, ts: `${id}.0001`, reactions: [] })),
  }),
  (count) => times(count, (id) => `/home/me/${word(id)}/${id}.txt`),
  (count) => ({
    status: 'ok',
    version: '1.2.3',
    uptime: 12_345,
    checks: times(count, (id) => ({ name: word(id), ok: true })),
  }),
  (count) => ({
    page: 1,
    next: null,
    data: times(count, (id) => ({ sku: `A-${id}`, price: 9.99 + id, tags: times(id % 4, word) })),
  }),
  (count) => ({
    matches: times(count, (id) => ({
      file: `src/${word(id)}.ts`,
      line: id,
      text: `const ${word(id)} = { a: ${id} };`,
    })),
  }),
  (count) =>
    times(count, (id) => ({
      node: { id, edges: times(2, (at) => ({ node: { id: id * 10 + at, title: word(at) } })) },
    })),
  (count) => ({
    schema: {
      type: 'object',
      properties: Object.fromEntries(times(count, (id) => [`${word(id)}${id}`, { type: 'string' }])),
    },
  }),
];
