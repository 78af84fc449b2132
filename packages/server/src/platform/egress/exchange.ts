import type { Dispatcher } from 'undici';
import { type EgressAnswer, type EgressError, errorOf } from './answer.ts';
import { MOST_HEADER_BYTES, type Receiving } from './connections.ts';

export type Came = Omit<EgressAnswer, 'durationMs'>;

/** The result when no answer came. */
export const nothing = (error: EgressError): Came => ({ status: null, error, headers: null, text: null });

export interface ReadLimits {
  /** Bytes of the body that are read. */
  readBytes: number;
  /** Bytes of the body that are kept. */
  keptBytes: number;
}

const MOST_HEADERS = 50;
const HEADER_LENGTH = 500;

class Enough extends Error {}

/** A request's answer, as it comes in. */
export class Exchange implements Receiving {
  /** The answer, or the error that came instead of it. */
  readonly answer: Promise<Came>;
  readonly #limits: ReadLimits;
  readonly #kept: Buffer[] = [];
  /** Whether the answer was read to its end: its connection can be used again. */
  isWhole = false;
  #length = 0;
  #status = 0;
  #headers: Record<string, string> | undefined;
  #resolve: (came: Came) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(limits: ReadLimits) {
    this.#limits = limits;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Ends it from outside. */
  end(error: EgressError): void {
    this.#resolve(this.#headers ? this.#came(error) : nothing(error));
  }

  onRequestStart(): void {
    // there is nothing to do before the answer
  }

  onBytes(bytes: number): void {
    if (bytes < this.#limits.readBytes + MOST_HEADER_BYTES) return;
    // as after too long a body: the connection is closed, not drained
    this.#resolve(this.#headers ? this.#came(errorOf(this.#status)) : nothing('malformed'));
  }

  onResponseStart(_controller: unknown, status: number, headers: Record<string, string | string[] | undefined>): void {
    // those below are before the answer
    if (status < 200) return;
    this.#status = status;
    this.#headers = keptHeaders(headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { readBytes, keptBytes } = this.#limits;
    // copied, or all of the chunk would be kept with its beginning
    if (this.#length < keptBytes) this.#kept.push(Buffer.from(chunk.subarray(0, keptBytes - this.#length)));
    this.#length += chunk.length;
    if (this.#length < readBytes) return;
    // enough of the answer is read; the connection is closed, not drained
    this.#resolve(this.#came(errorOf(this.#status)));
    controller.abort(new Enough());
  }

  onResponseEnd(): void {
    this.isWhole = true;
    this.#resolve(this.#came(errorOf(this.#status)));
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#headers) this.#resolve(this.#came('closed'));
    else this.#reject(error);
  }

  #came(error: EgressError | null): Came {
    const text = this.#length === 0 ? '' : printable(Buffer.concat(this.#kept));
    return { status: this.#status, error, headers: this.#headers as Record<string, string>, text };
  }
}

function keptHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const kept: Record<string, string> = {};
  let left = MOST_HEADERS;
  for (const name in headers) {
    if (name === 'set-cookie') continue;
    if (left === 0) break;
    left -= 1;
    const value = headers[name];
    kept[name] = clean(typeof value === 'string' ? value : [value].flat().join(', ')).slice(0, HEADER_LENGTH);
  }
  return kept;
}

const clean = (text: string) => (/^[ -~]*$/.test(text) ? text : text.replace(/[^\P{Cc}\n\t]/gu, ''));

function printable(bytes: Buffer): string {
  // the cut may have gone through a character
  return clean(bytes.toString('utf8')).replace(/\uFFFD+$/, '');
}
