// An MCP server with records to page, join, filter, retry and fan out over; `records.mjs shop` or `records.mjs crm`.
import { serveTools } from './tools-on-stdio.mjs';

const PAGES = 20;
const PAGE_SIZE = 50;
const ROWS = 5_000;

const json = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });
const fail = (words) => ({ content: [{ type: 'text', text: words }], isError: true });
const input = (properties, required = Object.keys(properties)) => ({ type: 'object', properties, required });
const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));

const order = (id) => ({
  id,
  customer: id % 40,
  total: (id * 37) % 500,
  status: id % 7 === 0 ? 'open' : 'paid',
  note: `Order ${id}, delivered to the front desk`,
});
const attempts = new Map();
let [begun, stopped] = [0, 0];

const shop = {
  list_orders: {
    description: 'Orders, one page at a time',
    inputSchema: input({ page: { type: 'integer', minimum: 1, maximum: PAGES } }),
    annotations: { readOnlyHint: true },
    run: ({ page }) => {
      const orders = times(PAGE_SIZE, (index) => order((page - 1) * PAGE_SIZE + index));
      return json({ orders, ...(page < PAGES && { next: page + 1 }) });
    },
  },
  stock: {
    description: 'All rows of the stock',
    inputSchema: input({}),
    outputSchema: { type: 'object', properties: { rows: { type: 'array', items: { type: 'object' } } } },
    run: () => {
      const rows = times(ROWS, (id) => ({ sku: `sku-${id}`, left: (id * 13) % 1_000, shelf: `shelf ${id % 90}` }));
      return { ...json({ rows }), structuredContent: { rows } };
    },
  },
  reserve: {
    description: 'Reserves an article; the first two attempts fail',
    inputSchema: input({ sku: { type: 'string' } }),
    run: ({ sku }) => {
      const attempt = (attempts.get(sku) ?? 0) + 1;
      attempts.set(sku, attempt);
      return attempt < 3 ? fail(`busy, attempt ${attempt}`) : json({ sku, attempt });
    },
  },
  'get-price': {
    description: 'The price of one article',
    inputSchema: input({ id: { type: 'integer' }, currency: { type: 'string', enum: ['EUR', 'NOK'] } }, ['id']),
    run: ({ id, currency = 'EUR' }) => json({ id, price: id * 3, currency }),
  },
  pay: {
    description: 'Pays an order',
    inputSchema: input({ order: { type: 'integer' } }),
    run: ({ order }) => ({ content: [{ type: 'text', text: `paid ${order}` }] }),
  },
  hang: {
    description: 'Runs until it is cancelled',
    inputSchema: input({}),
    run: (_args, signal) => {
      begun++;
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          stopped++;
          resolve(json({}));
        });
      });
    },
  },
  counts: { description: 'Calls of hang', inputSchema: input({}), run: () => json({ begun, stopped }) },
};

const crm = {
  customers: {
    description: 'All customers',
    inputSchema: input({}),
    run: () => json(times(40, (id) => ({ id, name: `Customer ${id}`, country: id % 2 === 0 ? 'NO' : 'DE' }))),
  },
};

const [, , name] = process.argv;
serveTools(name, { shop, crm }[name]);
