import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isInstalled, run } from '../support/command.ts';

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
