import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '#exit.ts';
import type { Context } from '#run/context.ts';
import { fetchLinked } from './linked-file.ts';

/** Breaks in a row, with nothing in between, after which it is given up. */
const TRIES = 5;
const FIRST_PAUSE = 500;

/**
 * Fetches a file that the server links to, and goes on from where a connection broke.
 * @param link asks for the address, which may have expired meanwhile
 * @throws {Failure} for another file under the same address.
 */
export async function fetchResumed(
  context: Context,
  link: () => Promise<Response>,
  { name, size }: { name: string; size: number },
): Promise<Response> {
  const first = await fetchLinked(context, await link(), name);
  const etag = first.headers.get('etag');
  const whole = new Response(Readable.toWeb(Readable.from(parts())) as ReadableStream<Uint8Array>, {
    headers: first.headers,
  });
  // messages name where it came from
  return Object.defineProperty(whole, 'url', { value: first.url });

  async function* parts(): AsyncGenerator<Uint8Array> {
    let at = 0;
    let breaks = 0;
    let file: Response | null = first;
    for (;;) {
      try {
        file ??= await rest(at);
        for await (const chunk of file.body ?? []) {
          at += chunk.length;
          breaks = 0;
          yield chunk;
        }
        return;
      } catch (error) {
        context.io.signal.throwIfAborted();
        breaks += 1;
        if (etag === null || at >= size || breaks >= TRIES || error instanceof OtherFile) throw error;
      }
      file = null;
      await pause(FIRST_PAUSE * breaks, undefined, { signal: context.io.signal });
    }
  }

  async function rest(at: number): Promise<Response> {
    if (at === 0) return fetchLinked(context, await link(), name);
    const range = { range: `bytes=${at}-`, 'if-range': etag ?? '' };
    const file = await fetchLinked(context, await link(), name, range);
    if (file.status !== 206) throw new OtherFile(`${name} has changed meanwhile. Fetch it again.`);
    return file;
  }
}

class OtherFile extends Failure {}
