import { readFile } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';
import type { CallOptions, ClientOptions } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import { type Profile, profileNames, readProfile } from '#config/store.ts';
import { CancelledError, Failure, NotSignedIn, UsageError } from '#exit.ts';
import { ask, mustBeAble, type Question } from '#input/prompt.ts';
import { serverAddress } from '#input/server-address.ts';
import { type Io, readAll, write } from '#io.ts';
import { type ColorChoice, hasColors } from '#output/color.ts';
import { filtered } from '#output/json/jq.ts';
import type { Template } from '#output/json/template.ts';
import { isoIn, noteAccountZone } from '#output/zone.ts';
import { VERSION } from '#version.ts';
import type { JobSignIn } from './identity.ts';
import type { Once } from './once.ts';
import { outgoing } from './outgoing.ts';
import { transportFor } from './transport.ts';

export interface Globals {
  json: boolean;
  fields: string | undefined;
  /** A jq program for the JSON. */
  jq: string | undefined;
  /** A Go template for the JSON. */
  template: string | undefined;
  color: ColorChoice;
  quiet: boolean;
  input: boolean;
  /** Overwrite files that exist. */
  force: boolean;
  /** Mark CSVs as UTF-8. */
  bom: boolean;
  profile: string | undefined;
  url: string | undefined;
}

interface Sure<Thing> {
  /** Undefined for what is done without one. */
  question?: string;
  look: () => Promise<Thing>;
  /** A sentence. */
  would: (thing: Thing) => string;
}

const SLOW_SECONDS = 10;
export const DEFAULT_URL = 'http://127.0.0.1:4000';

/** The context of a command: the credential it uses and the streams it writes to. */
export class Context {
  readonly io: Io;
  readonly globals: Globals;
  /** Chooses the idempotency keys of a command that must not run twice. */
  once: Once | undefined;
  /** The server's version, from its responses. */
  serverVersion: string | undefined;
  /**
   * The data that the server left out of its responses, and the scope that the access token would need:
   * `people; needs="customers:read"`.
   */
  readonly withheld = new Set<string>();
  /** Lines of progress that are shown now: they show that something takes long. */
  showing = 0;
  /** Messages for people so far, of a command that must not run twice. */
  readonly noted: string[] = [];
  /** Hears how many bytes of a file were sent so far. */
  onSent: ((bytes: number) => void) | undefined;
  /** How a list is read. */
  paging: Pick<CallOptions, 'pageSize' | 'onTotal'> = {};
  #close: (() => Promise<void>)[] = [];
  /** The sign-in of a CI job by a trust. */
  #job: Promise<JobSignIn> | undefined;

  constructor(io: Io, globals: Globals) {
    this.io = io;
    this.globals = globals;
  }

  get profileName(): string {
    return this.globals.profile ?? 'default';
  }

  get silent(): boolean {
    return this.globals.quiet || this.globals.json;
  }

  /** --url, TONEROW_URL, the profile's address, the address of a server on this machine. */
  async url(): Promise<string> {
    return (await this.#server()).url;
  }

  async #server(): Promise<{ url: string; source: string }> {
    const stored = await readProfile(this.io.env, this.profileName);
    const given = [
      [this.globals.url, '--url'],
      [this.io.env.TONEROW_URL, 'TONEROW_URL'],
      [stored?.url, `profile "${this.profileName}"`],
    ] as const;
    const [text, source] = given.find(([address]) => address) ?? [DEFAULT_URL, ''];
    return { url: serverAddress(text as string, source), source };
  }

  /**
   * TONEROW_TOKEN wins over the trust of a CI job, and that over what was stored. It goes to whichever server is named with it.
   * @throws {NotSignedIn} when there is none, or none for this server.
   */
  async credential(): Promise<{ token: string; source: string }> {
    const given = this.io.env.TONEROW_TOKEN;
    if (given) return { token: given, source: 'TONEROW_TOKEN' };
    const { TONEROW_TRUST: trust } = this.io.env;
    if (trust) return { token: await this.#trusted(trust), source: 'TONEROW_TRUST' };
    const stored = await this.stored();
    if (stored) return { token: stored.token, source: `profile "${this.profileName}"` };
    throw await this.#notSignedIn();
  }

  async #trusted(trust: string): Promise<string> {
    // only jobs need it, and it brings cryptography
    this.#job ??= import('./identity.ts').then(({ JobSignIn }) => new JobSignIn(this, trust));
    return (await this.#job).token();
  }

  async #notSignedIn(): Promise<NotSignedIn> {
    const { GITHUB_ACTIONS, GITLAB_CI } = this.io.env;
    const how =
      GITHUB_ACTIONS || GITLAB_CI
        ? 'or set TONEROW_TRUST, which needs no secret (add one with "tonerow trust add"), or TONEROW_TOKEN.'
        : 'or set TONEROW_TOKEN (create one with "tonerow tokens create").';
    const name = this.profileName;
    const others = (await profileNames(this.io.env)).filter((each) => each !== name).sort();
    const stored = others.length > 0 ? ` Stored profiles: ${others.join(', ')}.` : '';
    if (name === 'default') return new NotSignedIn('You are not signed in.', `Run "tonerow login", ${how}${stored}`);
    return new NotSignedIn(
      `You are not signed in with profile "${name}".`,
      `Run "tonerow login --profile ${name}", ${how}${stored}`,
    );
  }

  /**
   * The stored sign-in, if there is one.
   * @throws {NotSignedIn} when it is for another server than the one in use, which could read its token.
   */
  async stored(): Promise<Profile | undefined> {
    const profile = await readProfile(this.io.env, this.profileName);
    if (!profile) return undefined;
    const { url, source } = await this.#server();
    if (originOf(profile.url) === originOf(url)) return profile;
    throw new NotSignedIn(
      `The sign-in in profile "${this.profileName}" is for ${profile.url}, but ${source} names ${url}, which must not get its token.`,
      `Run "tonerow login --url ${url} --profile NAME" to sign in there too, or set TONEROW_TOKEN.`,
    );
  }

  /** A client with the credential in use. */
  async api(): Promise<OperationClient> {
    return this.client((await this.credential()).token);
  }

  /** A client with this credential, or without one. */
  async client(token?: string): Promise<OperationClient> {
    const { createOperationClient } = await import('@tonerow/sdk/operations');
    return createOperationClient(await this.clientOptions(token));
  }

  async clientOptions(token?: string): Promise<ClientOptions> {
    // checked here, because fetch would repeat the token in its own message, and messages end up in logs
    if (token !== undefined && !/^[\x21-\x7e]+$/.test(token.trim()))
      throw new NotSignedIn(
        'The credential contains a space, a line break or another invalid character.',
        'Copy it again.',
      );
    const baseUrl = await this.url();
    const transport = await transportFor(baseUrl, this.io.env);
    this.#close.push(transport.close);
    const job = await this.#job;
    return {
      baseUrl,
      fetch: this.#patient(transport.fetch),
      userAgent: `tonerow-cli/${VERSION}`,
      // never the environment's by itself: a credential belongs to the server of its profile
      token: job && token !== undefined && token === job.current ? () => job.token() : token?.trim() || null,
      idempotencyKey: (write) => this.once?.keyFor(write),
      onHeld: (seconds) => this.#noteHeld(seconds),
      ...this.timing,
    };
  }

  /** How what is tried again waits. */
  get timing(): Pick<ClientOptions, 'timing'> {
    const { pause, signal: own } = this.io;
    if (!pause) return {};
    return { timing: { random: Math.random, sleep: (milliseconds, signal = own) => pause(milliseconds, signal) } };
  }

  /**
   * Warns when the server has not responded for a while: one that hangs looks like a slow command. Not while a file is still on its
   * way to it, and not where a line of progress shows as much.
   */
  #patient(send: typeof fetch): typeof fetch {
    return async (input, init) => {
      const seconds = this.io.slowSeconds ?? SLOW_SECONDS;
      const { origin } = new URL(String(input));
      const message = `Still waiting for ${origin}, which has not responded for ${seconds} s …`;
      const start = () => setTimeout(() => this.showing === 0 && this.#report('waiting', message), seconds * 1000);
      let timer = start();
      const sending = outgoing(init, (bytes) => {
        clearTimeout(timer);
        timer = start();
        this.onSent?.(bytes);
      });
      try {
        const response = await send(input, sending);
        this.serverVersion = response.headers.get('x-tonerow-version') ?? this.serverVersion;
        noteAccountZone(response.headers.get('x-tonerow-time-zone'));
        for (const each of response.headers.get('x-tonerow-withheld')?.split(', ') ?? []) this.withheld.add(each);
        if (response.status === 401) await this.#noteRefused(new Headers(init?.headers).get('authorization'));
        return response;
      } finally {
        clearTimeout(timer);
      }
    };
  }

  async #noteRefused(authorization: string | null): Promise<void> {
    const job = await this.#job;
    if (job && authorization === `Bearer ${job.current}`) await job.forget();
  }

  #noteHeld(seconds: number): void {
    const until = isoIn(new Date((this.io.now ?? Date.now)() + seconds * 1000).toISOString()).slice(11, 19);
    this.#report(
      'waiting',
      `The first request is still running, or the server stopped while it ran. Waiting for its response until ${until} at the latest …`,
    );
  }

  /** A message on stderr while the command runs, for scripts a line of JSON like an error. */
  #report(code: string, message: string): void {
    if (!this.globals.quiet) this.warn(code, message);
  }

  /** Options for every call: Ctrl-C ends it. A list is read in pages of the size that is wanted of it. */
  get call(): Pick<CallOptions, 'signal' | 'pageSize' | 'onTotal'> & { signal: AbortSignal } {
    return { signal: this.io.signal, ...this.paging };
  }

  /**
   * Prompts on the terminal.
   * @throws {UsageError} that names what to pass instead, where there is no terminal.
   */
  ask(question: Question): Promise<string> {
    return ask(this.io, this.globals.input, question);
  }

  /**
   * Before something that cannot be undone. `yes` is the option that skips the question.
   * @param text the question; a function for one that has to be counted first, which is not called where nobody can be asked.
   * @throws {CancelledError} when the answer is no.
   */
  async confirm(yes: boolean, text: string | (() => Promise<string>)): Promise<void> {
    if (yes) return;
    mustBeAble(this.io, this.globals.input, '--yes');
    const question = typeof text === 'string' ? text : await text();
    const answer = await this.ask({ text: `${question} [y/N] `, instead: '--yes' });
    if (!/^y(es)?$/i.test(answer.trim())) throw new CancelledError();
  }

  /**
   * Before something that cannot be undone and of which the server has no dry run: with `--dry-run` shows what would be done, and
   * otherwise asks.
   * @param act.look reads what it is about, so that what is not there is the same failure as without `--dry-run`.
   * @returns whether to do it.
   */
  async sure<Thing extends object>(options: { dryRun: boolean; yes?: boolean }, act: Sure<Thing>): Promise<boolean> {
    if (!options.dryRun) {
      if (act.question !== undefined) await this.confirm(options.yes === true, act.question);
      return true;
    }
    const thing = await act.look();
    await this.print({ ...thing, dry_run: true }, `Dry run: ${act.would(thing)}\n`);
    return false;
  }

  /** Prints the result: JSON with --json, else text for people. */
  async print(value: unknown, human: string): Promise<void> {
    if (!this.globals.json) return this.write(human);
    const picked = this.pick(value);
    const { jq, template } = this.globals;
    if (jq !== undefined) await write(this.io.stdout, await filtered(picked, jq));
    else if (template !== undefined) await write(this.io.stdout, (await templateOf(template)).render(picked));
    else await write(this.io.stdout, `${JSON.stringify(picked, null, 2)}\n`);
  }

  /** One of many results as a line of JSON, or as what a jq program or a template makes of it. */
  async lineOf(value: unknown): Promise<string> {
    const picked = this.pick(value);
    const { jq, template } = this.globals;
    if (jq !== undefined) return filtered(picked, jq);
    return template === undefined ? `${JSON.stringify(picked)}\n` : (await templateOf(template)).render(picked);
  }

  /** Prints text for people, in color where it is wanted. */
  async write(human: string): Promise<void> {
    const colors = hasColors(this.io.env, this.io.stdout, this.globals.color);
    await write(this.io.stdout, colors ? human : stripVTControlCharacters(human));
  }

  /** Only the fields named by --fields: of each row of a list, or of the object. */
  pick(value: unknown): unknown {
    return pick(value, this.globals.fields);
  }

  /** A message for people, on stderr. */
  note(text: string): void {
    if (this.once) this.noted.push(text);
    if (!this.silent) this.io.stderr.write(`${text}\n`);
  }

  /** Keeps what is about to be printed out of the log of a CI job, whatever the job does with it. */
  mask(secret: string): void {
    if (this.io.env.GITHUB_ACTIONS === 'true') this.io.stderr.write(`::add-mask::${secret}\n`);
  }

  /** Like a note, but printed even with --quiet, and for scripts as a line of JSON like an error. */
  warn(code: string, message: string): void {
    this.io.stderr.write(this.globals.json ? `${JSON.stringify({ code, message })}\n` : `${message}\n`);
  }

  /** A secret from the environment, a file, or standard input: never from the command line, which other users of the machine can read. */
  async secret(options: {
    env?: string;
    file?: string | undefined;
    stdin?: boolean | undefined;
    what: string;
    how: string;
  }): Promise<string> {
    if (options.file) {
      const text = await readFile(options.file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        throw new Failure(`${options.file} cannot be read (${error.code}).`);
      });
      return text.trim();
    }
    if (options.stdin) {
      if (this.io.stdin.isTTY) this.note(`Reading ${options.what} from standard input. End it with Ctrl-D.`);
      const text = (await readAll(this.io)).trim();
      if (text === '') throw new UsageError(`Standard input was empty. It should hold ${options.what}.`);
      return text;
    }
    const value = options.env ? this.io.env[options.env] : undefined;
    if (value) return value;
    throw new UsageError(`Give ${options.what} by ${options.how}.`);
  }

  async close(): Promise<void> {
    await Promise.all(this.#close.map((close) => close()));
  }
}

/** @throws {UsageError} for one that is not valid. */
export async function templateOf(text: string): Promise<Template> {
  const { compileTemplate } = await import('#output/json/template.ts');
  return compileTemplate(text);
}

const originOf = (address: string) => (URL.canParse(address) ? new URL(address).origin : address);

function pick(value: unknown, fields: string | undefined): unknown {
  if (!fields) return value;
  const names = fields.split(',').map((name) => name.trim());
  const one = (row: unknown) =>
    row !== null && typeof row === 'object'
      ? Object.fromEntries(names.map((name) => [name, (row as Record<string, unknown>)[name] ?? null]))
      : row;
  if (Array.isArray(value)) return value.map(one);
  const rows = (value as { rows?: unknown[] } | null)?.rows;
  return Array.isArray(rows) ? rows.map(one) : one(value);
}
