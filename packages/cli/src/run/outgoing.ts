import { multipart } from './multipart.ts';

/** Forms and files of less are sent as they are. */
const LARGE = 256 * 1024;

/**
 * The same request, which reports how many bytes of its file are on their way. Each attempt reads the file anew.
 * @param onSent called with the bytes so far.
 */
export function outgoing(init: RequestInit | undefined, onSent: (bytes: number) => void): RequestInit | undefined {
  const body = init?.body;
  if (!(body instanceof Blob || body instanceof FormData) || sizeOf(body) < LARGE) return init;
  const headers = new Headers(init?.headers);
  const { type, body: bytes } = body instanceof Blob ? { type: body.type, body: body.stream() } : multipart(body);
  if (type && !headers.has('content-type')) headers.set('content-type', type);
  if (body instanceof Blob) headers.set('content-length', String(body.size));
  return {
    ...init,
    headers,
    body: reported(bytes, onSent),
    duplex: 'half',
  } as RequestInit;
}

function sizeOf(body: Blob | FormData): number {
  if (body instanceof Blob) return body.size;
  return [...body.values()].reduce((sum, value) => sum + (typeof value === 'string' ? value.length : value.size), 0);
}

function reported(source: ReadableStream<Uint8Array>, onSent: (bytes: number) => void): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let sent = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await reader.read();
        if (done) return controller.close();
        sent += value.length;
        onSent(sent);
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // nothing is read before it can be sent, or it would look as if it were
    { highWaterMark: 0 },
  );
}
