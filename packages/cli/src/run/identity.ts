import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ClientOptions } from '@tonerow/sdk';
import { stateDir, writePrivately } from '#config/state.ts';
import { Failure, NotSignedIn } from '#exit.ts';
import type { Io } from '#io.ts';

/** A token that has less left is exchanged for another, where that is possible. */
const LEAST_MS = 60_000;

interface Kept {
  /** Of which job, server and trust. */
  of: string;
  token: string;
  expires_at: string;
}

/** The command that signs in. */
interface Caller {
  io: Io;
  url(): Promise<string>;
  clientOptions(): Promise<ClientOptions>;
}

interface Job {
  /** Tells this job from others; nobody can make it up. */
  secret: string;
  identityToken(audience: string): Promise<string>;
}

/**
 * The access token of a CI job, by the trust that TONEROW_TRUST names. Commands of a job share it, because GitLab gives a job one
 * identity token, which can be exchanged once.
 * @throws {NotSignedIn} when this is no job, or it has no identity token.
 */
export async function trustedToken(caller: Caller, trust: string): Promise<string> {
  const { env } = caller.io;
  const url = await caller.url();
  const job = jobOf(caller, url);
  const of = createHash('sha256')
    .update(JSON.stringify([url, trust, job.secret]))
    .digest('hex');
  const file = path.join(env.RUNNER_TEMP || stateDir(env), 'tonerow-trust.json');
  const kept = await readKept(file, of);
  const left = kept ? Date.parse(kept.expires_at) - (caller.io.now ?? Date.now)() : 0;
  if (kept && left > LEAST_MS) return kept.token;
  try {
    const identity = await job.identityToken(url);
    const { token, expires_at } = await exchange(caller, trust, identity);
    // without a place to keep it, the next command exchanges again
    await writePrivately(file, JSON.stringify({ of, token, expires_at } satisfies Kept)).catch(() => undefined);
    return token;
  } catch (error) {
    // GitLab's is exchanged already
    if (kept && left > 0) return kept.token;
    throw error;
  }
}

async function exchange(caller: Caller, trust: string, token: string) {
  const { createOperationClient } = await import('@tonerow/sdk/operations');
  // the keys of a command that must not run twice are for its own work
  const { idempotencyKey: _, ...options } = await caller.clientOptions();
  const client = createOperationClient(options);
  return client.exchangeIdentityToken({ body: { trust, token } }, { signal: caller.io.signal });
}

async function readKept(file: string, of: string): Promise<Kept | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  try {
    const kept = JSON.parse(text) as Kept;
    return kept.of === of ? kept : undefined;
  } catch {
    return undefined;
  }
}

function jobOf(caller: Caller, url: string): Job {
  const { env } = caller.io;
  const given = env.TONEROW_ID_TOKEN;
  if (given) return { secret: given, identityToken: async () => given };
  const { ACTIONS_ID_TOKEN_REQUEST_URL: address, ACTIONS_ID_TOKEN_REQUEST_TOKEN: secret } = env;
  if (address && secret) return { secret, identityToken: (audience) => askGitHub(caller, address, secret, audience) };
  if (env.GITHUB_ACTIONS)
    throw new NotSignedIn(
      'TONEROW_TRUST is set, but this job has no identity token. Give it "permissions: id-token: write".',
    );
  throw new NotSignedIn(
    `TONEROW_TRUST is set, but there is no identity token. In GitLab, give the job an id token TONEROW_ID_TOKEN with "aud: ${url}". Elsewhere, unset TONEROW_TRUST.`,
  );
}

async function askGitHub(caller: Caller, address: string, secret: string, audience: string): Promise<string> {
  const { fetch: send } = await caller.clientOptions();
  const url = new URL(address);
  url.searchParams.set('audience', audience);
  const headers = { authorization: `Bearer ${secret}`, accept: 'application/json' };
  const answer = await (send as typeof fetch)(url.href, { headers, signal: caller.io.signal }).catch((error: Error) => {
    if (caller.io.signal.aborted) throw error;
    throw new Failure(`GitHub could not be asked for an identity token: ${error.message}`);
  });
  const { value } = (await answer.json().catch(() => ({}))) as { value?: unknown };
  if (!answer.ok || typeof value !== 'string')
    throw new Failure(`GitHub gave no identity token (HTTP ${answer.status}). Run the job again.`);
  return value;
}
