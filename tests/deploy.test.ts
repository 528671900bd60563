import { verifies } from '@a2c/requirements';
import { allowAnonymous, listen } from '@a2c/server';
import { describe, expect } from 'vitest';
import { parse } from 'yaml';
import { serverCommand } from '../packages/cli/src/server/command.js';
import { read } from './source-tree.js';

/** The names of all metrics that a Server with one request has, and the labels of each. */
async function metrics(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const { server, close } = await listen({ port: 0, authenticate: allowAnonymous, logger });
  const text = await server.metrics.text();
  await close();
  const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => `${name}${end}`) : [name],
  );
  return new Map(names.map((name) => [name, LABELS[name] ?? new Set()]));
}

/** The labels that appear only after the first request. `job` and `instance` are added by Prometheus. */
const LABELS: Readonly<Record<string, ReadonlySet<string>>> = {
  a2c_requests_total: new Set(['event', 'verdict']),
  a2c_request_seconds_bucket: new Set(['event', 'le']),
  a2c_refused_total: new Set(['reason']),
  a2c_bytes_total: new Set(['direction']),
};

interface Selector {
  readonly name: string;
  readonly labels: readonly string[];
}

/** The metrics that a PromQL expression selects. */
function selectors(expr: string): Selector[] {
  return [...expr.matchAll(/\b(a2c_\w+|up)\b(?:\{([^}]*)\})?/g)]
    .filter(([, name, labels]) => name !== 'up' || labels !== undefined)
    .map(([, name = '', labels = '']) => ({
      name,
      labels: [...labels.matchAll(/(\w+)(?:=|!)/g)].map(([, label = '']) => label),
    }));
}

function expectBalanced(expr: string): void {
  for (const [open, close] of ['()', '[]', '{}'] as const) {
    expect(expr.split(open as string).length, expr).toBe(expr.split(close as string).length);
  }
}

interface Dashboard {
  readonly panels: readonly { id: number; title: string; targets: readonly { expr: string; legendFormat: string }[] }[];
  readonly templating: { readonly list: readonly { name: string; query: unknown }[] };
}

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      alert: string;
      expr: string;
      for?: string;
      labels: { severity: string };
      annotations: { summary: string; description: string };
    }[];
  }[];
}

describe('docs/deploy', () => {
  verifies('HOUSE-DEPLOY-01', 'the dashboard and the alert rules use only metrics that the Server has', async () => {
    const dashboard = JSON.parse(read('docs/deploy/grafana-dashboard.json')) as Dashboard;
    const rules = (parse(read('docs/deploy/alerts.yml')) as Rules).groups.flatMap((group) => group.rules);
    const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expect(shown.length).toBeGreaterThan(8);
    expect(rules.length).toBeGreaterThan(4);
    const known = await metrics();
    for (const expr of [...shown, ...rules.map((rule) => rule.expr)]) {
      expectBalanced(expr);
      const found = selectors(expr);
      expect(found.length, expr).toBeGreaterThan(0);
      for (const { name, labels } of found.filter((selector) => selector.name !== 'up')) {
        expect([...known.keys()], expr).toContain(name);
        for (const label of labels.filter((one) => one !== 'job' && one !== 'instance')) {
          expect([...(known.get(name) as Set<string>)], `${name} in ${expr}`).toContain(label);
        }
      }
    }
    const reasons = /type RefusalReason = (.+);/.exec(read('packages/server/src/operation/metrics.ts'))?.[1] ?? '';
    for (const expr of rules.map((rule) => rule.expr)) {
      for (const [, reason] of expr.matchAll(/reason="(\w+)"/g)) expect(reasons).toContain(`'${reason}'`);
    }
  });

  verifies('HOUSE-DEPLOY-01', 'panels and rules are complete', () => {
    const { panels, templating } = JSON.parse(read('docs/deploy/grafana-dashboard.json')) as Dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(templating.list.map(({ name }) => name)).toEqual(['datasource', 'instance']);
    const { groups } = parse(read('docs/deploy/alerts.yml')) as Rules;
    for (const { alert, for: duration = '1m', labels, annotations } of groups.flatMap(({ rules }) => rules)) {
      expect(alert).toMatch(/^A2C[A-Z]\w+$/);
      expect(duration).toMatch(/^\d+m$/);
      expect(['warning', 'critical']).toContain(labels.severity);
      expect(annotations.summary, alert).toContain('{{ $labels.instance }}');
      expect(annotations.description).toMatch(/\.$/);
    }
    const scrape = parse(read('docs/deploy/prometheus.yml')) as { scrape_configs: { job_name: string }[] };
    expect(scrape.scrape_configs.map(({ job_name }) => job_name)).toEqual(['a2c']);
  });

  verifies('HOUSE-DEPLOY-02', 'the systemd unit starts an existing command with options that exist', () => {
    const unit = read('docs/deploy/a2c-server.service');
    const sections = [...unit.matchAll(/^\[(\w+)\]$/gm)].map(([, name]) => name);
    expect(sections).toEqual(['Unit', 'Service', 'Install']);
    const settings = unit.split('\n').filter((line) => line !== '' && !/^[#[]/.test(line));
    for (const line of settings) expect(line).toMatch(/^[A-Z]\w+=/);
    const value = (name: string) => settings.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
    const [node, program = '', command, ...options] = value('ExecStart').split(' ');
    expect([node, command]).toEqual(['/usr/bin/node', 'server']);
    expect(read(program.replace('/opt/a2c/', ''))).toContain('#!/usr/bin/env node');
    const flags = serverCommand().options.map(({ long }) => long);
    for (const option of options.filter((word) => word.startsWith('--'))) expect(flags).toContain(option);
    const drain = Number(options[options.indexOf('--drain-seconds') + 1]);
    expect(Number(value('TimeoutStopSec'))).toBeGreaterThan(drain);
    for (const [, name] of unit.matchAll(/^Environment=(A2C_\w+)=/gm))
      expect(read('docs/reference.md')).toContain(`\`${name}\``);
    for (const rule of ['NoNewPrivileges=yes', 'ProtectSystem=strict', 'RestartPreventExitStatus=2', 'UMask=0077']) {
      expect(settings).toContain(rule);
    }
  });
});
