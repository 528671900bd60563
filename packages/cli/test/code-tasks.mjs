// Five tasks over the servers of `packages/proxy/test/records.mjs`, each as one piece of code; also for the benchmark.

export const TASKS = {
  paging: {
    code: `let open = 0;
for (let page = 1; page; ) {
  const { orders, next } = await servers.shop.list_orders({ page });
  open += orders.filter((order) => order.status === 'open').length;
  page = next;
}
return { open };`,
    result: { open: 143 },
  },
  joining: {
    code: `const customers = await servers.crm.customers();
const { orders } = await servers.shop.list_orders({ page: 1 });
const names = new Map(customers.map(({ id, name, country }) => [id, { name, country }]));
return orders.filter((order) => order.status === 'open' && names.get(order.customer).country === 'NO')
  .map((order) => ({ order: order.id, customer: names.get(order.customer).name }));`,
    result: [0, 14, 28, 42].map((order) => ({ order, customer: `Customer ${order % 40}` })),
  },
  filtering: {
    code: `const { rows }: { rows: { sku: string; left: number }[] } = await servers.shop.stock();
return rows.filter(({ left }) => left === 0).map(({ sku }) => sku);`,
    result: ['sku-0', 'sku-1000', 'sku-2000', 'sku-3000', 'sku-4000'],
  },
  retry: {
    code: `for (let attempt = 1; ; attempt++) {
  try {
    return await servers.shop.reserve({ sku: 'sku-7' });
  } catch (error) {
    if (error.code !== 'tool-error' || attempt === 5) throw error;
    await sleep(10);
  }
}`,
    result: { sku: 'sku-7', attempt: 3 },
  },
  'fan-out': {
    code: `const ids = Array.from({ length: 10 }, (_, id) => id);
const prices = await Promise.all(ids.map((id) => servers.shop['get-price']({ id })));
return prices.reduce((sum, { price }) => sum + price, 0);`,
    result: 135,
  },
};
