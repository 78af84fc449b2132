import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';
import type { Overrides } from '../../packages/server/src/base.ts';
import { readConfig } from '../../packages/server/src/config.ts';
import { refuseNestedConnections } from '../../packages/server/src/platform/db/lanes.ts';
import { createLogger } from '../../packages/server/src/platform/log.ts';
import { serve } from '../../packages/server/src/serve.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { freePort } from './process.ts';
import { refuseTenantOffenses } from './tenant-gate.ts';

export interface TestServer {
  url: string;
  db: TestDatabase;
  /** Everything the server logged so far. */
  logged(): string;
  /** Waits for an email that matches. */
  mail(fits: (mail: Email) => boolean): Promise<Email>;
  stop(): Promise<void>;
}

interface Options {
  /** Settings beside the tests' own. */
  env?: Record<string, string>;
  overrides?: Overrides;
  /** Serves the built dashboard too. */
  web?: boolean;
  /** A database to share with another server. */
  db?: TestDatabase;
}

refuseTenantOffenses();

export const TEST_SECRET = 'a secret for the tests that is long enough to be one';

refuseNestedConnections();

/** The real server over HTTP, on a database of its own. */
export async function startServer(options: Options = {}): Promise<TestServer> {
  const db = options.db ?? (await createTestDatabase());
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tonerow-data-'));
  const port = await freePort();
  const lines: string[] = [];
  const log = createLogger(
    'debug',
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    }),
  );
  const config = readConfig({
    PORT: String(port),
    TONEROW_DATA_DIR: dataDir,
    DATABASE_URL: db.url,
    TONEROW_SECRET: TEST_SECRET,
    TONEROW_RATE_LIMITS: 'off',
    ...options.env,
  });
  const running = await serve(
    {
      ...config,
      databaseUrl: db.url,
      secrets: config.secrets ?? [TEST_SECRET],
      ...(options.web ? { webFolder: path.resolve('packages/web/dist') } : {}),
    },
    {
      strictStatuses: true,
      overrides: { log, ...options.overrides },
    },
  );
  return {
    url: running.url,
    db,
    logged: () => lines.join(''),
    async mail(fits) {
      const folder = path.join(dataDir, 'outbox');
      for (let tries = 0; tries < 600; tries += 1) {
        for (const name of (await readdir(folder).catch(() => [])).filter((each) => each.endsWith('.eml'))) {
          const mail = await PostalMime.parse(await readFile(path.join(folder, name)));
          if (fits(mail)) return mail;
        }
        await pause(50);
      }
      throw new Error('no such mail came');
    },
    async stop() {
      await running.stop();
      if (!options.db) await db.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
