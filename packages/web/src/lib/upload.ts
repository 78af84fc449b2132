import { ConnectionError, TonerowError, UnexpectedAnswerError } from '@tonerow/sdk';
import { getToken } from './session.ts';

interface UploadOptions {
  method?: 'POST' | 'PATCH';
  headers?: Record<string, string>;
  query?: Record<string, string | boolean>;
  /** 0 to 1, of what has left this computer. */
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal | undefined;
}

/**
 * Sends a file with real progress, which only XMLHttpRequest knows.
 * @throws {TonerowError} as every other call does.
 */
export function upload<Answer>(path: string, body: FormData | Blob, options: UploadOptions = {}): Promise<Answer> {
  const { method = 'POST', headers = {}, query, onProgress, signal } = options;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const search = new URLSearchParams(Object.entries(query ?? {}).map(([name, value]) => [name, String(value)]));
    request.open(method, query ? `${path}?${search}` : path);
    request.responseType = 'text';
    const token = getToken();
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0);
    const stop = () => request.abort();
    signal?.addEventListener('abort', stop, { once: true });
    request.onloadend = () => signal?.removeEventListener('abort', stop);
    request.onabort = () => reject(signal?.reason ?? new DOMException('Stopped.', 'AbortError'));
    request.onerror = () => reject(new ConnectionError('The connection was interrupted.'));
    request.onload = () => {
      const answer = parse(request.responseText);
      const contentType = request.getResponseHeader('content-type') ?? '';
      // without JSON it comes from something in between, which stored nothing
      if (answer === undefined && request.status < 500)
        return reject(
          new UnexpectedAnswerError(`${path} responded with ${contentType || 'nothing'} instead of JSON.`, {
            status: request.status,
            contentType,
          }),
        );
      if (request.status >= 200 && request.status < 300) return resolve(answer as Answer);
      const problem = answer as { message?: string } | undefined;
      reject(
        new TonerowError(problem?.message ?? `HTTP ${request.status}`, {
          status: request.status,
          problem,
          requestId: request.getResponseHeader('x-request-id') ?? undefined,
        }),
      );
    };
    request.send(body);
  });
}

export function formOf(file: File): FormData {
  const form = new FormData();
  form.append('file', file);
  return form;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
