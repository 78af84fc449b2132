import type { Client } from './client.ts';
import { ConnectionError, TonerowError } from './errors.ts';
import type { StoredFile } from './generated/types.gen.ts';
import { delayOf, systemTiming, type Timing } from './retry.ts';

/**
 * A file that can be read in pieces. A browser's `File` is one; so is a Blob from `openAsBlob` with a name, of up to 4 GiB: Node counts its bytes
 * in 32 bits, and has the wrong size of a longer one.
 */
export interface UploadSource {
  name: string;
  size: number;
  slice(start: number, end: number): Blob;
}

interface UploadOptions {
  /** Bytes stored on the server. */
  onProgress?: (sent: number) => void;
  /** Called once the server knows the file: keep the id, so that a later call can resume the upload. */
  onStart?: (file: StoredFile) => void;
  /** An interrupted upload of the same size, to resume. */
  resume?: string;
  signal?: AbortSignal;
  /** How often a part is retried after the connection broke. Default 8, with growing pauses. */
  attempts?: number;
  /** Sends one part; replaced in the browser, where only XMLHttpRequest reports progress within a part. */
  sendPart?: (part: { id: string; offset: number; body: Blob; signal?: AbortSignal }) => Promise<StoredFile>;
  /** Used by tests. */
  timing?: Timing;
}

/**
 * Uploads a product file of any size in parts, and continues after a broken connection with the part that failed.
 * @returns the complete file; its `url` is what a product's `file_urls` hold.
 */
export async function uploadFile(api: Client, source: UploadSource, options: UploadOptions = {}): Promise<StoredFile> {
  const { signal, onProgress, attempts = 8, timing = systemTiming } = options;
  const call = signal ? { signal } : {};
  const send =
    options.sendPart ??
    (({ id, offset, body }) =>
      api.files.uploadPart(id, body, { 'upload-offset': String(offset) }, { ...call, retries: 0, timeoutMs: 600_000 }));
  let file = options.resume
    ? await api.files.get(options.resume, call)
    : await api.files.create({ name: source.name, size: source.size }, call);
  if (file.size !== source.size) throw new TypeError('The interrupted upload was of a different file.');
  options.onStart?.(file);
  onProgress?.(file.received);
  let known = true;
  let tries = 0;
  for (let failures = 0; !file.complete; ) {
    try {
      // a part may have arrived although its response did not
      if (!known) file = await api.files.get(file.id, call);
      known = true;
      if (file.complete) break;
      const offset = file.received;
      const body = source.slice(offset, Math.min(offset + file.part_size, file.size));
      file = await send({ id: file.id, offset, body, ...call });
      failures = 0;
      tries = 0;
    } catch (error) {
      if (error instanceof TonerowError) {
        tries += error.attempts ?? 1;
        error.attempts = tries;
      }
      if (signal?.aborted || !mayPass(error) || failures >= attempts) throw error;
      known = false;
      failures += 1;
      await timing.sleep(delayOf(Math.min(failures, 5), error as ConnectionError, timing.random), signal);
    }
    onProgress?.(file.received);
  }
  onProgress?.(file.received);
  return file;
}

function mayPass(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof TonerowError) || error.status === undefined || error.final) return false;
  // 409: somebody else, or an earlier try, was faster; continue from the server's offset
  return error.status >= 500 || error.status === 409 || error.status === 429;
}
