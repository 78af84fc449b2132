import { readFileSync } from 'node:fs';
import { isInstalled, run } from '@tonerow/test-support/command.ts';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const read = (name: string) => readFileSync(`deploy/${name}`, 'utf8');
const config = readFileSync('packages/server/src/config.ts', 'utf8');
const INSTRUCTIONS = new Set([
  'FROM',
  'WORKDIR',
  'COPY',
  'RUN',
  'ENV',
  'USER',
  'VOLUME',
  'EXPOSE',
  'HEALTHCHECK',
  'STOPSIGNAL',
  'CMD',
]);

interface Compose {
  services: Record<
    string,
    {
      image: string;
      mem_limit?: string;
      read_only?: boolean;
      environment?: Record<string, string>;
      volumes?: string[];
      depends_on?: object;
    }
  >;
  volumes: Record<string, null>;
}

describe('the five lines that switch Stripe on', () => {
  const text = readFileSync('docs/operations.md', 'utf8').split('## Cards and invoices')[1]?.split('\n## ')[0] ?? '';
  const lines = text.split('\n').filter((line) => /^\d\. /.test(line));

  it('are five, and name the settings that the server reads, its webhook and the version that it speaks', () => {
    expect(lines.map((line) => line[0])).toEqual(['1', '2', '3', '4', '5']);
    const settings = lines.join('\n').match(/STRIPE_\w+/g) ?? [];
    expect([...new Set(settings)]).toEqual(['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET']);
    for (const name of settings) expect(config).toContain(`${name}:`);
    const client = readFileSync('packages/server/src/platform/payments/stripe.ts', 'utf8');
    expect(lines[1]).toContain(`\`${/API_VERSION = '([^']+)'/.exec(client)?.[1]}\``);
    const route = /https:\/\/YOUR-HOST(\/[\w/]+)/.exec(lines[1] ?? '')?.[1] as string;
    // the contract leaves out what only Stripe calls
    const routes = readFileSync('packages/server/src/features/billing/webhook/webhook.routes.ts', 'utf8');
    expect(routes).toContain(`'${route}'`);
    const webhook = readFileSync('packages/server/src/features/billing/webhook/webhook.service.ts', 'utf8');
    const subjects = (lines[2]?.match(/`(\w+)\.\w+`/g) ?? []).map((event) => event.slice(1).split('.')[0]);
    expect(subjects.length).toBeGreaterThan(4);
    for (const subject of subjects) expect(webhook).toContain(`'${subject}'`);
  });

  it('are where README.md and what is deployed point to', () => {
    expect(readFileSync('README.md', 'utf8')).toContain('(docs/operations.md#cards-and-invoices)');
    for (const name of ['compose.yaml', 'tonerow.service']) expect(read(name)).toMatch(/five lines/);
    for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'])
      expect(read('compose.yaml')).toContain(`${name}: \${${name}:-}`);
  });
});

describe('the files to deploy with', () => {
  it('are a compose file that only sets what the server reads, with limits and pinned versions', () => {
    const compose = parse(read('compose.yaml'), { merge: true }) as Compose;
    expect(Object.keys(compose.services)).toEqual(['server-1', 'server-2', 'postgres', 'storage', 'bucket', 'caddy']);
    for (const [name, { image, mem_limit: limit }] of Object.entries(compose.services)) {
      expect(limit, name).toBeDefined();
      if (image !== 'tonerow') expect(image, name).toMatch(/:(RELEASE\.[\dTZ-]+|\d+\.\d+(\.\d+)?(-\w+)?)$/);
    }
    const server = compose.services['server-1'];
    expect(server?.read_only).toBe(true);
    expect(server?.environment?.TONEROW_TRUST_PROXY?.split(',')).toEqual([
      '10.0.0.0/8',
      '172.16.0.0/12',
      '192.168.0.0/16',
      'fc00::/7',
    ]);
    for (const name of Object.keys(server?.environment ?? {})) expect(config).toContain(`${name}:`);
    for (const service of Object.values(compose.services)) {
      for (const dependency of Object.keys(service.depends_on ?? {}))
        expect(compose.services).toHaveProperty(dependency);
      for (const volume of service.volumes ?? []) {
        const source = volume.split(':')[0] as string;
        if (!source.startsWith('.')) expect(compose.volumes).toHaveProperty(source);
      }
    }
  });

  it('are a container file of known instructions that starts what is built', () => {
    const lines = read('Containerfile')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    for (const line of lines) expect(INSTRUCTIONS, line).toContain(line.split(' ')[0]);
    const command = lines.at(-1)?.replace('CMD ', '') ?? '';
    expect(JSON.parse(command)).toEqual(['node', 'packages/server/dist/main.js']);
    for (const pair of lines
      .find((line) => line.startsWith('ENV'))
      ?.slice(4)
      .split(' ') ?? []) {
      const name = pair.split('=')[0] as string;
      if (name !== 'NODE_ENV') expect(config).toContain(`${name}:`);
    }
  });

  it('are a Caddyfile whose blocks close, and that asks where the server answers', () => {
    const text = read('Caddyfile');
    let depth = 0;
    for (const sign of text.replace(/\{\$[^}]*\}/g, '')) {
      if (sign === '{') depth += 1;
      if (sign === '}') depth -= 1;
      expect(depth).toBeGreaterThanOrEqual(0);
    }
    expect(depth).toBe(0);
    const port = /TONEROW_METRICS_PORT=(\d+)/.exec(read('Containerfile'))?.[1];
    expect(text).toContain(`ask http://server-1:${port}/internal/tls/ask`);
  });

  it('are a systemd unit that systemd accepts, where it is installed', async () => {
    const verified =
      isInstalled('systemd-analyze') && (await run('systemd-analyze', ['verify', 'deploy/tonerow.service']));
    if (!verified)
      process.stderr.write('skipped: the check of the systemd unit, as systemd-analyze is not installed\n');
    else expect([verified.code, verified.err]).toEqual([0, '']);
    for (const [, name] of read('tonerow.service').matchAll(/(TONEROW_\w+)=/g)) expect(config).toContain(`${name}:`);
  });
});
