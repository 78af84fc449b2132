import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { call, makeProduct, makeSerials, signUp } from '@tonerow/test-support/http.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { untilReady } from '@tonerow/test-support/process.ts';
import { execa } from 'execa';
import pg from 'pg';

const root = path.resolve(import.meta.dirname, '../..');

/** A server from the sources, in a process of its own. */
export async function serveOn(databaseUrl: string, port: string) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tonerow-citus-'));
  const server = execa(process.execPath, [path.join(root, 'packages/server/src/main.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    reject: false,
    env: {
      PORT: port,
      DATABASE_URL: databaseUrl,
      TONEROW_DATA_DIR: dataDir,
      TONEROW_SECRET: 'a secret for this cluster that is long enough',
      TONEROW_JOBS_BACKEND: (await isCluster(databaseUrl)) ? 'citus' : 'postgres',
      TONEROW_RATE_LIMITS: 'off',
      TONEROW_LOG_LEVEL: 'fatal',
    },
  });
  await untilReady({ url: `http://127.0.0.1:${port}` });
  return {
    async stop() {
      server.kill('SIGTERM');
      await server;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function isCluster(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ nodes: string | null }>("select to_regclass('pg_dist_node')::text as nodes");
    return rows[0]?.nodes != null;
  } finally {
    await client.end();
  }
}

export interface Tenant {
  id: string;
  /** A session's. */
  token: string;
  /** A plugin key. */
  key: string;
  license: { license_key: string; machine_id: string };
  codes: string[];
}

interface Where {
  url: string;
  db: Parameters<typeof setPlan>[0];
  serials: number;
}

/** A developer with a product, a plugin that is activated on a machine, and codes to be redeemed. */
export async function makeTenant({ url, db, serials }: Where): Promise<Tenant> {
  const { id, token } = await signUp({ url });
  await setPlan(db, { plan: 'elite', accountId: id });
  const product = await makeProduct({ url }, token);
  const made: { code: string }[] = await makeSerials({ url }, token, product.id, { quantity: serials });
  const { plaintext: key } = (await call({ url }, 'POST', '/api/developer/plugin-keys', { token, body: {} })).body;
  const [{ code = '' } = {}, ...rest] = made;
  const asked = { license_key: code, machine_id: 'machine-1', email: 'fan@example.com' };
  const { status, body, text } = await call({ url }, 'POST', '/api/license/v1/activate', { token: key, body: asked });
  if (status !== 200 && status !== 201) throw new Error(`activate answered ${status} ${text}`);
  const license = { license_key: code, machine_id: 'machine-1', validation_token: body.validation_token };
  return { id, token, key, license, codes: rest.map((each) => each.code) };
}
