import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';
import { inject } from 'vitest';
import type { Overrides } from '../../packages/server/src/base.ts';
import { readConfig } from '../../packages/server/src/config.ts';
import { refuseNestedConnections } from '../../packages/server/src/platform/db/pools/pools.ts';
import { createLogger } from '../../packages/server/src/platform/log.ts';
import { serve } from '../../packages/server/src/serve.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { freePort } from './process.ts';
import { refuseTenantOffenses } from './tenant-gate.ts';
import { spentOn } from './where.ts';

/**
 * A server as a test file sees it: only this file's log lines and emails, even if other files had the server before.
 */
export interface SharedServer {
  url: string;
  db: Omit<TestDatabase, 'drop'>;
  /** Everything the server logged since this file got it. */
  logged(): string;
  /** Waits for an email that matches and was sent since this file got the server. */
  email(fits: (email: Email) => boolean): Promise<Email>;
}

export interface TestServer extends SharedServer {
  /** Drops its database, too, when that is its own. */
  stop(): Promise<void>;
}

interface Options {
  /** Settings beside the tests' own. */
  env?: Record<string, string>;
  overrides?: Overrides;
  /** Serves the built dashboard too. */
  web?: boolean;
  /** A database to share with another server, which drops it. */
  db?: SharedServer['db'];
}

refuseTenantOffenses();

/** Calls of a second: the stand-in for Stripe takes as many. */
export const UNPACED = 1000;
export const TEST_SECRET = 'a secret for the tests that is long enough to be one';

refuseNestedConnections();

/** The real server over HTTP, on a database of its own: for settings, faults or a clock that no other file may see. */
export async function startServer(options: Options = {}): Promise<TestServer> {
  const own = options.db ? null : await createTestDatabase();
  const { server, running, dataDir } = await start(options.db ?? (own as TestDatabase), options);
  return {
    ...server,
    async stop() {
      await running.stop();
      await own?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const shared = new Map<boolean, ReturnType<typeof startOn>>();

/**
 * The worker's server with the settings that most tests want. Other files' accounts are in its database, too: a test makes its
 * own and never counts all. It runs until its worker ends.
 */
export async function sharedServer({ web = false }: Pick<Options, 'web'> = {}): Promise<SharedServer> {
  const started = shared.get(web) ?? createTestDatabase().then((db) => start(db, { web }));
  shared.set(web, started);
  const { server, forget } = await started;
  await forget();
  return server;
}

const start = (db: SharedServer['db'], options: Options) => spentOn('server', () => startOn(db, options));

async function startOn(db: SharedServer['db'], options: Options) {
  const dataDir = await mkdtemp(path.join(inject('folder'), 'data-'));
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
      strict: true,
      // other tests cover the cost of a password and the pace of calls to Stripe
      overrides: {
        log,
        passwordCost: { memoryCost: 8, timeCost: 1, parallelism: 1 },
        stripeCallsPerSecond: UNPACED,
        ...options.overrides,
      },
    },
  );
  const outbox = outboxIn(path.join(dataDir, 'outbox'));
  return {
    running,
    dataDir,
    server: { url: running.url, db, logged: () => lines.join(''), email: outbox.email },
    /** Forgets what was logged and sent so far, which does not matter to the next file. */
    async forget() {
      lines.length = 0;
      await outbox.forget();
    },
  };
}

/** The emails in a folder, each parsed once. */
function outboxIn(folder: string) {
  const forgotten = new Set<string>();
  const parsed = new Map<string, Email>();
  const names = async () => (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'));
  return {
    async forget() {
      for (const name of await names()) forgotten.add(name);
      parsed.clear();
    },
    async email(fits: (email: Email) => boolean): Promise<Email> {
      for (let tries = 0; tries < 600; tries += 1) {
        for (const name of (await names()).filter((each) => !forgotten.has(each))) {
          const email = parsed.get(name) ?? (await PostalMime.parse(await readFile(path.join(folder, name))));
          parsed.set(name, email);
          if (fits(email)) return email;
        }
        await pause(50);
      }
      throw new Error('no such mail came');
    },
  };
}
