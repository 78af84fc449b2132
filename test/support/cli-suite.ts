import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Given, runCommand } from './cli.ts';
import { fakeServer } from './fake-server.ts';

/**
 * The shared parts of suites of the terminal client: a fake server, and commands with a home of their own and a token
 * for it.
 */
export function cliSuite() {
  const home = path.join(tmpdir(), `tonerow-cli-${randomUUID()}`);
  const fake = fakeServer();
  beforeAll(async () => {
    await mkdir(home);
    await fake.listen();
  });
  beforeEach(() => fake.reset());
  afterAll(async () => {
    fake.close();
    await rm(home, { recursive: true, force: true });
  });
  const run = (line: string[], given: Partial<Given> = {}) => {
    const env = { XDG_CONFIG_HOME: home, HOME: home, TONEROW_URL: fake.url, TONEROW_TOKEN: 'tnr_pat_x', ...given.env };
    return runCommand(line, { ...given, env });
  };
  return { home, fake, run };
}

/** A product and serials of it, as far as commands read them. */
export const product = {
  id: '01900000-0000-7000-8000-000000000001',
  name: 'Reverb',
  version: 1,
  is_draft: false,
  price: 49,
  sale_price: null,
  serials_available: 3,
  figures: { generated: 5, redeemed: 2, revenue: 98, days_left: null, file_version: null },
  feature_list: [],
  file_urls: [],
};

export const serial = (code: string) => ({
  id: `id-${code}`,
  code,
  product: 'Reverb',
  revoked: false,
  redeemed_at: null,
  created_at: '2026-01-01T00:00:00.000Z',
});
