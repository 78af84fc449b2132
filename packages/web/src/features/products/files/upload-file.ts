import { ConnectionError, NotFoundError, uploadFile } from '@tonerow/sdk';
import { uploadFilePart } from '@tonerow/sdk/routes';
import { api, redirectedApi } from '#lib/api.ts';
import { openDownload } from '#lib/files/download.ts';
import { upload } from '#lib/files/upload.ts';
import type { StoredFile } from '#lib/types.ts';

interface FileUploadOptions {
  /** Bytes sent so far, including those of the current part. */
  onBytes: (sent: number) => void;
  onStart: (file: StoredFile) => void;
  /** The connection is still down after a few tries. `onStart` is called again when it is back. */
  onInterrupted: () => void;
  signal: AbortSignal;
}

const prefix = 'upload:';

/** The storage key for the id of an unfinished upload. The same file has the same key. */
export function placeOf(file: File): string {
  return `${prefix}${file.name}:${file.size}:${file.lastModified}`;
}

/** Uploads that this browser started and the server still expects. */
export async function unfinishedUploads(signal?: AbortSignal): Promise<StoredFile[]> {
  const known = new Set(ourPlaces().map((place) => localStorage.getItem(place)));
  if (known.size === 0) return [];
  const files = await api.listFiles(undefined, signal ? { signal } : {});
  return files.filter((file) => !file.complete && known.has(file.id));
}

function ourPlaces(): string[] {
  return Object.keys(localStorage).filter((place) => place.startsWith(prefix));
}

/**
 * Uploads a file of any size to our storage. One that broke off earlier in this browser continues where it was, and one that loses the
 * connection waits for it to come back.
 */
export async function uploadProductFile(file: File, options: FileUploadOptions): Promise<StoredFile> {
  const place = placeOf(file);
  for (let losses = 0; ; losses += 1) {
    const earlier = localStorage.getItem(place) ?? undefined;
    try {
      return await send(file, place, options, earlier);
    } catch (error) {
      if (options.signal.aborted) throw error;
      if (earlier && error instanceof NotFoundError) {
        // It was removed after seven idle days, or belongs to another account.
        localStorage.removeItem(place);
      } else if (error instanceof ConnectionError) {
        options.onInterrupted();
        await untilOnline(Math.min(30_000, 1000 * 2 ** losses), options.signal);
      } else throw error;
    }
  }
}

/** Waits until the browser reports a connection, or for a while, because that report is unreliable. */
function untilOnline(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = new AbortController();
    const end = (act: () => void) => () => {
      clearTimeout(timer);
      ended.abort();
      act();
    };
    const timer = setTimeout(end(resolve), milliseconds);
    window.addEventListener('online', end(resolve), { signal: ended.signal });
    signal.addEventListener(
      'abort',
      end(() => reject(signal.reason)),
      { signal: ended.signal },
    );
  });
}

async function send(file: File, place: string, options: FileUploadOptions, resume?: string): Promise<StoredFile> {
  const { onBytes, onStart, signal } = options;
  const stored = await uploadFile(api, file, {
    signal,
    onProgress: onBytes,
    onStart: (started) => {
      localStorage.setItem(place, started.id);
      onStart(started);
    },
    sendPart: ({ id, offset, body, signal: stop }) => sendPart(id, offset, body, onBytes, stop),
    ...(resume ? { resume } : {}),
  });
  localStorage.removeItem(place);
  return stored;
}

function sendPart(id: string, offset: number, body: Blob, onBytes: (sent: number) => void, signal?: AbortSignal) {
  return upload(uploadFilePart, body, {
    path: { id },
    headers: { 'upload-offset': String(offset), 'content-type': 'application/octet-stream' },
    onProgress: (fraction) => onBytes(offset + Math.round(fraction * body.size)),
    signal,
  });
}

/** Cancels an upload, on the server too. */
export async function discardUpload(id: string): Promise<void> {
  for (const place of ourPlaces()) {
    if (localStorage.getItem(place) === id) localStorage.removeItem(place);
  }
  await api.deleteFile({ path: { id } });
}

/** Downloads one of the account's own files, through the signed link that the API redirects to. */
export async function downloadStoredFile(id: string): Promise<void> {
  await openDownload(await redirectedApi.stream.downloadOwnFile({ path: { id } }));
}
