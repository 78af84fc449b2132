import { type AnswerOf, ConnectionError, type OperationId, TonerowError, UnexpectedAnswerError } from '@tonerow/sdk';
import { endSessionOn401 } from '../query.ts';
import { addressOf, type Route } from '../route.ts';
import { getToken } from '../session/session.ts';

interface UploadOptions {
  /** The parameters of the route's path. */
  path?: Record<string, string>;
  headers?: Record<string, string>;
  query?: Record<string, string | boolean>;
  /** 0 to 1: the share of bytes sent. */
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal | undefined;
}

/**
 * Sends a file with upload progress, which only XMLHttpRequest reports.
 * @throws {TonerowError} like every other call.
 */
export function upload<Id extends OperationId>(
  route: Route<Id>,
  body: FormData | Blob,
  options: UploadOptions = {},
): Promise<AnswerOf<Id>> {
  const { path, headers = {}, query, onProgress, signal } = options;
  const address = addressOf(route, path, query);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(route.method, address);
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
      // a response without JSON is from a proxy, which stored nothing
      if (answer === undefined && request.status < 500)
        return reject(
          new UnexpectedAnswerError(`${address} responded with ${contentType || 'nothing'} instead of JSON.`, {
            status: request.status,
            contentType,
          }),
        );
      if (request.status >= 200 && request.status < 300) return resolve(answer as AnswerOf<Id>);
      const problem = answer as { message?: string } | undefined;
      const refusal = new TonerowError(problem?.message ?? `HTTP ${request.status}`, {
        status: request.status,
        problem,
        requestId: request.getResponseHeader('x-request-id') ?? undefined,
        final: request.getResponseHeader('x-should-retry') === 'false',
      });
      endSessionOn401(refusal);
      reject(refusal);
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
