import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isInstalled, run } from '@tonerow/test-support/command.ts';
import { freePort } from '@tonerow/test-support/process.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Rule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}

const ALERTS = 'deploy/prometheus/tonerow-alerts.yml';
const { groups } = parse(readFileSync(ALERTS, 'utf8')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(readFileSync('deploy/grafana/tonerow.json', 'utf8')) as {
  panels: Panel[];
  templating: { list: { name: string }[] };
};
const drawn = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));

/** Names of figures in an expression, without what a histogram adds to its own. */
const namesIn = (expr: string) =>
  [...expr.replace(/"[^"]*"/g, '').matchAll(/\b((?:tonerow|http|process|nodejs)_\w+)/g)].map(([, name = '']) =>
    name.replace(/^(http_request_duration_seconds)_(?:bucket|count|sum)$/, '$1'),
  );
/** Names of labels in one. */
const labelsIn = (expr: string) => [
  ...[...expr.matchAll(/[{,]\s*(\w+)\s*(?:=~|!=|!~|=)\s*"/g)].map(([, label = '']) => label),
  ...[...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(',').map((label) => label.trim())),
];

let server: TestServer;
let page: string;
beforeAll(async () => {
  const port = await freePort();
  // with all that has figures of its own
  server = await startServer({
    env: {
      TONEROW_METRICS_PORT: String(port),
      TONEROW_BACKUP_TO: '/nowhere/at/all',
      STRIPE_SECRET_KEY: 'sk_test_figures',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_figures',
      TONEROW_STRIPE_API_BASE: `http://127.0.0.1:${await freePort()}`,
    },
  });
  await fetch(`${server.url}/livez`);
  page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
});
afterAll(() => server.stop());

const served = () => new Set([...page.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name));

describe('figures that alerts and the dashboard ask for', () => {
  it('are served by a server', () => {
    expect(served().size).toBeGreaterThan(30);
    const asked = [...rules.map(({ alert, expr }) => ({ title: alert, expr })), ...drawn];
    expect(asked.length).toBeGreaterThan(35);
    const missing = asked.flatMap(({ title, expr }) =>
      namesIn(expr).flatMap((name) => (served().has(name) ? [] : [`${title}: ${name}`])),
    );
    expect(missing).toEqual([]);
    expect(namesIn('sum(rate(http_request_duration_seconds_bucket{route="x"}[5m])) > tonerow_nothing')).toEqual([
      'http_request_duration_seconds',
      'tonerow_nothing',
    ]);
  });

  it('have the labels that they are asked by', () => {
    const handbook = readFileSync('docs/operations.md', 'utf8');
    const own = [...handbook.matchAll(/^\| `(?:tonerow|http)_\w+` +\| \w+ +\| ([\w, ]*?) +\|/gm)].flatMap(
      ([, list = '']) => list.split(', '),
    );
    const known = new Set([...own, 'le', 'instance', 'job']);
    expect(own).toContain('route');
    const wrong = [...rules, ...drawn].flatMap(({ expr }) => labelsIn(expr).filter((label) => !known.has(label)));
    expect(wrong).toEqual([]);
    expect(labelsIn('sum by (le, route) (x{status=~"5..",shop="a"})')).toEqual(['status', 'shop', 'le', 'route']);
  });

  it('are of routes that there are', () => {
    const contract = JSON.parse(readFileSync('packages/sdk/openapi.json', 'utf8')) as { paths: object };
    const routes = [...rules, ...drawn].flatMap(({ expr }) =>
      [...expr.matchAll(/route="([^"]+)"/g)].map(([, route = '']) => route),
    );
    expect(new Set(routes).size).toBeGreaterThan(0);
    for (const route of routes) expect(contract.paths).toHaveProperty([route]);
  });

  it('that are worth an alert or a look have one: every figure of the server', () => {
    const asked = new Set([...rules, ...drawn].flatMap(({ expr }) => namesIn(expr)));
    // counted for those who look closer
    const other = new Set([
      'tonerow_months_closed_total',
      'tonerow_statements_made_total',
      'tonerow_webhook_attempts_total',
      'tonerow_collection_failures_total',
      'tonerow_storage_failures_total',
    ]);
    const unseen = [...served()].filter((name) => name.startsWith('tonerow_') && !asked.has(name) && !other.has(name));
    expect(unseen).toEqual([]);
  });
});

describe('the alerts', () => {
  it('have a name of their own each, a time to wait, and what to do', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, for: wait, labels, annotations } of rules) {
      expect(wait, alert).toMatch(/^\d+[sm]$/);
      expect(labels.severity, alert).toMatch(/^(?:critical|warning)$/);
      expect(annotations.summary.length, alert).toBeGreaterThan(10);
      expect(annotations.description.length, alert).toBeGreaterThan(10);
    }
  });

  it('are rules that Prometheus accepts, and that fire when they should, where promtool is installed', async () => {
    if (!isInstalled('promtool'))
      return void process.stderr.write('skipped: the check of alerts by promtool, which is not installed\n');
    const checked = await run('promtool', ['check', 'rules', ALERTS]);
    expect([checked.code, checked.output]).toMatchObject([0, expect.stringContaining(`${rules.length} rules found`)]);
    const config = await run('promtool', ['check', 'config', 'deploy/prometheus/prometheus.yml']);
    expect([config.code, config.err]).toMatchObject([0, expect.not.stringContaining('FAILED')]);
    const tested = await run('promtool', ['test', 'rules', 'deploy/prometheus/tonerow-alerts.test.yml']);
    expect([tested.code, tested.output]).toMatchObject([0, expect.stringContaining('SUCCESS')]);
  });

  it('are those that the handbook names, each with what to do', () => {
    const handbook = readFileSync('docs/operations.md', 'utf8');
    expect(handbook).toContain(`\`${ALERTS}\``);
    expect(handbook).toContain('`deploy/grafana/tonerow.json`');
    const rows = [...handbook.matchAll(/^\| `(Tonerow\w+)` +\| (critical|warning) +\| .{10,} \| .{10,} \|$/gm)];
    expect(rows.map(([, name, severity]) => `${name} ${severity}`)).toEqual(
      rules.map(({ alert, labels }) => `${alert} ${labels.severity}`),
    );
  });

  it('ask for this server’s processes alone where a figure has a name that others have, too', () => {
    const shared = [...rules].flatMap(({ expr }) => expr.match(/\b(?:http|process|nodejs)_\w+(?:\{[^}]*\})?/g) ?? []);
    expect(shared.length).toBeGreaterThan(3);
    for (const each of shared) expect(each).toContain('job="tonerow"');
    const { templating } = dashboard;
    const instance = templating.list.find(({ name }) => name === 'instance');
    expect(instance).toMatchObject({ definition: 'label_values(tonerow_ready, instance)', includeAll: true });
    expect(instance).not.toHaveProperty('allValue');
    const drawnShared = drawn.flatMap(({ expr }) => expr.match(/\b(?:http|process|nodejs)_\w+(?:\{[^}]*\})?/g) ?? []);
    for (const each of drawnShared) expect(each).toContain('instance=~"$instance"');
  });
});

describe('the dashboard', () => {
  it('has panels that do not overlap, each with a number and a title of its own', () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
    const cells = new Map<string, string>();
    for (const { title, gridPos } of panels) {
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(cells.get(`${x},${y}`), title).toBeUndefined();
          cells.set(`${x},${y}`, title);
        }
      }
    }
  });

  it('has expressions that Prometheus accepts, where promtool is installed', async () => {
    if (!isInstalled('promtool')) return void process.stderr.write('skipped: promtool is not installed\n');
    const text = drawn.map(({ expr }) => expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*'));
    const file = { groups: [{ name: 'dashboard', rules: text.map((expr, at) => ({ record: `panel:${at}`, expr })) }] };
    const folder = await mkdtemp(path.join(tmpdir(), 'tonerow-figures-'));
    const place = path.join(folder, 'dashboard.yml');
    await writeFile(place, JSON.stringify(file));
    const checked = await run('promtool', ['check', 'rules', place]);
    await rm(folder, { recursive: true });
    expect([checked.code, checked.output]).toMatchObject([0, expect.stringContaining(`${text.length} rules found`)]);
  });
});
