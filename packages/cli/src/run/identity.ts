import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientOptions } from '@tonerow/sdk';
import { stateDir, writePrivately } from '#config/state.ts';
import { Failure, NotSignedIn } from '#exit.ts';
import type { Io } from '#io.ts';
import { transportFor } from './transport.ts';

/** A token that has less left is exchanged for another, where that is possible. */
const LEAST_MS = 60_000;
/** How long to wait for GitHub's answer. */
const PATIENCE_MS = 30_000;
/** How often and for how long a command looks for what another one of its job has got in the same moment. */
const [LOOKS, LOOK_MS] = [5, 200];

interface Kept {
  /** Identifies the job, the server and the trust that it belongs to. */
  of: string;
  token: string;
  /** When it came and until when it works, by this machine's clock, which may be wrong. */
  at: number;
  until: number;
}

/** The command that signs in. */
interface Caller {
  io: Io;
  url(): Promise<string>;
  clientOptions(): Promise<ClientOptions>;
}

interface Job {
  /** No other job has it, and nobody can make it up. */
  secret: string;
  /** The identity tokens that it can exchange, one after the other. */
  identities: readonly ((audience: string) => Promise<string>)[];
}

/**
 * The access tokens of a CI job, by the trust that TONEROW_TRUST names: each works for 15 minutes, and is exchanged for another before it
 * ends. Commands of a job share them, because an identity token of GitLab can be exchanged once.
 */
export class JobSignIn {
  /** The one that was used last. */
  current: string | undefined;
  readonly #caller: Caller;
  readonly #trust: string;
  /** Holds the token when it cannot be written to a file. */
  #kept: Kept | undefined;
  #coming: Promise<string> | undefined;
  /** There is nothing left to exchange. */
  #usedUp = false;

  constructor(caller: Caller, trust: string) {
    this.#caller = caller;
    this.#trust = trust;
  }

  /**
   * One that still works.
   * @throws {NotSignedIn} when this is no job, or it has no identity token.
   */
  async token(): Promise<string> {
    // calls that run at the same time wait for one exchange
    this.#coming ??= this.#find().finally(() => {
      this.#coming = undefined;
    });
    this.current = await this.#coming;
    return this.current;
  }

  /** The server does not know it any longer, as after a change of its trust: the next command gets another. */
  async forget(): Promise<void> {
    this.#kept = undefined;
    await rm(this.#file, { force: true }).catch(() => undefined);
  }

  get #file(): string {
    const { env } = this.#caller.io;
    return path.join(env.RUNNER_TEMP || stateDir(env), 'tonerow-trust.json');
  }

  async #find(): Promise<string> {
    const url = await this.#caller.url();
    const job = jobOf(this.#caller, url);
    const of = createHash('sha256')
      .update(JSON.stringify([url, this.#trust, job.secret]))
      .digest('hex');
    const kept = this.#kept?.of === of ? this.#kept : await readKept(this.#file, of);
    this.#kept = kept;
    const left = this.#left(kept);
    if (kept && left > (this.#usedUp ? 0 : LEAST_MS)) return kept.token;
    try {
      return await this.#exchange(job, of, url);
    } catch (error) {
      this.#usedUp = isRefused(error);
      // those of GitLab are exchanged already
      if (kept && left > 0) return kept.token;
      const others = this.#usedUp ? await this.#foundByOthers(of) : undefined;
      if (!others) throw error;
      this.#kept = others;
      return others.token;
    }
  }

  /** How many milliseconds it still works; 0 if the clock was set back since. */
  #left(kept: Kept | undefined): number {
    const now = nowOf(this.#caller.io);
    return kept && now >= kept.at ? kept.until - now : 0;
  }

  async #exchange(job: Job, of: string, url: string): Promise<string> {
    const [identity, ...more] = job.identities;
    if (!identity) throw new Error('a job without an identity');
    try {
      const { token, expires_in } = await exchange(this.#caller, this.#trust, await identity(url));
      const at = nowOf(this.#caller.io);
      this.#kept = { of, token, at, until: at + expires_in * 1000 };
      // without a place to keep it, the next command exchanges again
      await writePrivately(this.#file, JSON.stringify(this.#kept)).catch(() => undefined);
      return token;
    } catch (error) {
      if (more.length === 0 || !isRefused(error)) throw error;
      return this.#exchange({ ...job, identities: more }, of, url).catch((later: unknown) => {
        // the reason is that of the first
        throw isRefused(later) ? error : later;
      });
    }
  }

  /** The token that another command got at the same time, if one did. */
  async #foundByOthers(of: string): Promise<Kept | undefined> {
    const { io } = this.#caller;
    if (!io.env.TONEROW_ID_TOKEN) return undefined;
    for (let look = 0; look < LOOKS; look += 1) {
      const kept = await readKept(this.#file, of);
      if (this.#left(kept) > 0) return kept;
      await (io.pause ?? ((ms, signal) => pause(ms, undefined, { signal })))(LOOK_MS, io.signal);
    }
    return undefined;
  }
}

const nowOf = (io: Io): number => (io.now ?? Date.now)();

const isRefused = (error: unknown): boolean => (error as { code?: string }).code === 'identity_refused';

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
    const { token, at, until } = kept;
    const whole = typeof token === 'string' && Number.isFinite(at) && Number.isFinite(until);
    return kept.of === of && whole ? kept : undefined;
  } catch {
    return undefined;
  }
}

function jobOf(caller: Caller, url: string): Job {
  const { env } = caller.io;
  const given = identityTokens(env);
  if (given[0]) return { secret: given[0], identities: given.map((token) => async () => token) };
  const { ACTIONS_ID_TOKEN_REQUEST_URL: address, ACTIONS_ID_TOKEN_REQUEST_TOKEN: secret } = env;
  if (address && secret) return { secret, identities: [(audience) => askGitHub(caller, address, secret, audience)] };
  if (env.GITHUB_ACTIONS)
    throw new NotSignedIn(
      'TONEROW_TRUST is set, but this job has no identity token.',
      'Give it "permissions: id-token: write".',
    );
  throw new NotSignedIn(
    'TONEROW_TRUST is set, but there is no identity token.',
    `In GitLab, give the job an id token TONEROW_ID_TOKEN with "aud: ${url}". Elsewhere, unset TONEROW_TRUST.`,
  );
}

/** TONEROW_ID_TOKEN, and for jobs that take longer than 15 minutes TONEROW_ID_TOKEN_2 and so on: GitLab gives a job as many as it names. */
function identityTokens(env: Io['env']): string[] {
  const tokens: string[] = [];
  for (let name = 'TONEROW_ID_TOKEN'; env[name]; name = `TONEROW_ID_TOKEN_${tokens.length + 1}`)
    tokens.push(env[name] as string);
  return tokens;
}

async function askGitHub(caller: Caller, address: string, secret: string, audience: string): Promise<string> {
  const { io } = caller;
  const url = new URL(address);
  url.searchParams.set('audience', audience);
  // another host than the server's, perhaps by another proxy
  const { fetch: send, close } = await transportFor(url.origin, io.env);
  const headers = { authorization: `Bearer ${secret}`, accept: 'application/json' };
  const signal = AbortSignal.any([io.signal, AbortSignal.timeout(PATIENCE_MS)]);
  try {
    const answer = await send(url.href, { headers, signal });
    const { value } = (await answer.json().catch(() => ({}))) as { value?: unknown };
    if (!answer.ok || typeof value !== 'string')
      throw new Failure(`GitHub gave no identity token (HTTP ${answer.status}). Run the job again.`);
    return value;
  } catch (error) {
    if (io.signal.aborted || error instanceof Failure) throw error;
    const { cause, message } = error as Error;
    throw new Failure(
      `GitHub could not be asked for an identity token: ${cause instanceof Error ? cause.message : message}.`,
    );
  } finally {
    await close();
  }
}
