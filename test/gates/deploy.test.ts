import { readFileSync } from 'node:fs';
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
  services: Record<string, { environment?: Record<string, string>; volumes?: string[]; depends_on?: object }>;
  volumes: Record<string, null>;
}

describe('the files to deploy with', () => {
  it('are a compose file of three services that only sets what the server reads', () => {
    const compose = parse(read('compose.yaml')) as Compose;
    expect(Object.keys(compose.services)).toEqual(['server', 'postgres', 'caddy']);
    for (const name of Object.keys(compose.services.server?.environment ?? {})) expect(config).toContain(`${name}:`);
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
    const lines = read('Dockerfile')
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
    for (const sign of text.replace(/\{\$\w+\}/g, '')) {
      if (sign === '{') depth += 1;
      if (sign === '}') depth -= 1;
      expect(depth).toBeGreaterThanOrEqual(0);
    }
    expect(depth).toBe(0);
    const port = /TONEROW_METRICS_PORT=(\d+)/.exec(read('Dockerfile'))?.[1];
    expect(text).toContain(`ask http://server:${port}/internal/tls/ask`);
  });
});
