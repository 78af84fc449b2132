import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { TonerowError, Write } from '@tonerow/sdk';
import { stateDir, writePrivately } from '#config/state.ts';
import { CancelledError, Failure, NotSignedIn, PartialError, UsageError } from '#exit.ts';
import type { Question } from '#input/prompt.ts';
import type { Io } from '#io.ts';
import { isRunning } from './is-running.ts';
import type { LostAnswer } from './lost-answer.ts';

const DAY = 86_400_000;
/** The key belongs to another request, and nothing was done for this one. */
const REUSED = 'idempotency_key_reused';
/** These change how the result is shown or stored, not what is done. */
const PRESENTATION = [
  'json',
  'fields',
  'jq',
  'template',
  'quiet',
  'input',
  'color',
  'resume',
  'force',
  'out',
  'format',
  'report',
];

interface Record {
  at: number;
  /** The process that runs the command, until the run has ended. */
  pid: number | null;
  /** The idempotency key of each write. */
  keys: { [write: string]: string };
}

/** The person who runs the command, and the server. */
interface Caller {
  io: Io;
  profileName: string;
  url: string;
  /** Null: there is nobody to ask. */
  ask: ((question: Question) => Promise<string>) | null;
  warn(message: string): void;
}

interface Line {
  command: string;
  args: string[];
  options: { readonly [name: string]: unknown };
}

/**
 * A run of a command that must not do its work twice. The idempotency key of each write is stored before it is sent, and
 * removed when its response has arrived. A key that is still there belongs to a run whose response was lost: the next
 * identical run within a day, for which the server remembers keys, must either resume it or start over.
 */
export class Once {
  readonly #file: string;
  readonly #given: string | undefined;
  readonly #record: Record;
  readonly #resumed: UnansweredRun | undefined;
  readonly #warn: (message: string) => void;
  #lastKey: string | undefined;
  #warned = false;

  private constructor(
    folder: string,
    line: string,
    given: string | undefined,
    resumed: UnansweredRun | undefined,
    warn: Caller['warn'],
  ) {
    this.#warn = warn;
    this.#file = resumed?.file ?? path.join(folder, `${line}-${randomUUID()}.json`);
    this.#given = given;
    this.#record = { at: resumed?.record.at ?? Date.now(), pid: process.pid, keys: resumed?.record.keys ?? {} };
    this.#resumed = resumed;
  }

  /** @throws {Failure} when an identical run is unfinished, and neither an option nor a person decides what to do. */
  static async begin({ io, profileName, url, ask, warn }: Caller, { command, args, options }: Line): Promise<Once> {
    const folder = path.join(stateDir(io.env), 'unanswered');
    const what = Object.entries(options)
      .filter(([name, value]) => value !== undefined && !PRESENTATION.includes(name))
      .sort(([a], [b]) => a.localeCompare(b));
    const line = digest([profileName, url, command, args, what]);
    const given = options.idempotencyKey as string | undefined;
    const unanswered = given === undefined ? await findUnansweredRun(folder, line) : undefined;
    if (unanswered && (await confirmResume(ask, options.resume as boolean | undefined, unanswered.record.at)))
      return new Once(folder, line, given, unanswered, warn);
    if (unanswered) await rm(unanswered.file, { force: true }).catch(() => undefined);
    return new Once(folder, line, given, undefined, warn);
  }

  /** The key for a write, stored before it is sent: the process may be killed while it waits. */
  async keyFor({ method, url, body }: Write): Promise<string> {
    const write = digest([method, url, await describe(body)]);
    const { keys } = this.#record;
    keys[write] ??= this.#given === undefined ? randomUUID() : this.#next(this.#given);
    this.#lastKey = keys[write];
    if (this.#given === undefined) await this.#store();
    return keys[write];
  }

  /** Each write of a run needs a key of its own. */
  #next(given: string): string {
    const writes = Object.keys(this.#record.keys).length;
    return writes === 0 ? given : `${given}.${writes + 1}`;
  }

  async #store(): Promise<void> {
    // the command must still run when this folder cannot be written to
    await writePrivately(this.#file, `${JSON.stringify(this.#record)}\n`).catch((error) =>
      this.#warnOf(error, 'If the response is lost, running the command again may do its work twice.'),
    );
  }

  /** The whole response has arrived. */
  async succeeded(): Promise<void> {
    await this.#remove();
  }

  /** Removes the record. The work is done, so a record that cannot be removed is not a failure. */
  async #remove(): Promise<void> {
    await rm(this.#file, { force: true }).catch((error) =>
      this.#warnOf(error, 'Running the command again will ask whether to get the response of this run.'),
    );
  }

  #warnOf(error: unknown, meaning: string): void {
    if (this.#warned) return;
    this.#warned = true;
    const { code, message } = error as NodeJS.ErrnoException;
    this.#warn(`Warning: ${path.dirname(this.#file)} cannot be written to (${code ?? message}). ${meaning}`);
  }

  /** An earlier run stays unresolved until its write was sent again and accepted. */
  #isOpen(error: unknown): boolean {
    const { status, code } = error as Partial<TonerowError>;
    return this.#lastKey === undefined || [401, 403].includes(status ?? 0) || code === REUSED;
  }

  /** The addition to the error: the key, when it is unknown whether the work was done. */
  async failed(error: unknown): Promise<LostAnswer | undefined> {
    if (this.#lastKey === undefined && !this.#resumed) return undefined;
    if (isConclusive(error) && !(this.#resumed && this.#isOpen(error))) {
      await this.#remove();
      return undefined;
    }
    this.#record.pid = null;
    if (this.#given === undefined) await this.#store();
    if ((error as Partial<TonerowError>).code === REUSED) return undefined;
    const key = this.#lastKey ?? Object.values(this.#record.keys)[0];
    return { key: key as string, again: this.#given === undefined ? '--resume' : `--idempotency-key ${this.#given}` };
  }
}

interface UnansweredRun {
  file: string;
  record: Record;
}

/** The latest identical run whose response was lost. Deletes those whose keys the server no longer remembers. */
async function findUnansweredRun(folder: string, line: string): Promise<UnansweredRun | undefined> {
  const found: UnansweredRun[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name);
    const record = await read(file);
    if (!record || Date.now() - record.at > DAY) await rm(file, { force: true }).catch(() => undefined);
    else if (name.startsWith(`${line}-`) && !isAtWork(record.pid)) found.push({ file, record });
  }
  return found.sort((a, b) => b.record.at - a.record.at)[0];
}

async function read(file: string): Promise<Record | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record;
  } catch {
    return undefined;
  }
}

/** This run has not begun, so its own id is one that a process of before had. */
const isAtWork = (pid: number | null): boolean => pid !== null && pid !== process.pid && isRunning(pid);

async function confirmResume(ask: Caller['ask'], given: boolean | undefined, at: number): Promise<boolean> {
  if (given !== undefined) return given;
  const minutes = Math.max(1, Math.round((Date.now() - at) / 60_000));
  const when = minutes < 60 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
  const fact = `The same command was run ${when} ago and its response was lost, so it may have taken effect.`;
  if (!ask)
    throw new Failure(`${fact}\nAdd --resume to get that response, or --no-resume to run it again.`, 'answer_lost');
  const answer = await ask({
    text: `${fact}\nGet that response instead of running it again? [Y/n] `,
    instead: '--resume',
  });
  return !/^no?$/i.test(answer.trim());
}

/** Whether it is certain what was done: nothing, or everything that the response confirms. */
function isConclusive(error: unknown): boolean {
  if ([UsageError, CancelledError, PartialError, NotSignedIn].some((kind) => error instanceof kind)) return true;
  const { status, code } = error as Partial<TonerowError>;
  if (status === undefined || status >= 500) return false;
  return ![408, 425, 429].includes(status) && code !== 'idempotency_in_progress';
}

function digest(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** The body as text, or a summary of a form with a file: the server compares the contents. */
async function describe(body: Write['body']): Promise<unknown> {
  if (typeof body === 'string') return body;
  if (!(body instanceof FormData)) return null;
  return [...body].map(([name, value]) => [name, typeof value === 'string' ? value : [value.name, value.size]]);
}
