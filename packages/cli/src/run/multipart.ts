import { ReadableStream } from 'node:stream/web';

type BodyStream = ReturnType<Blob['stream']>;

/**
 * A form as bytes that are read only as fast as they are sent. What fetch makes of a form is read into memory as a whole, and ends the
 * process when a server refuses it amid.
 * @see https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data
 */
export function multipart(form: FormData): { type: string; body: BodyStream } {
  const boundary = `tonerow-${crypto.randomUUID()}`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: ReadableStream.from(partsOf(form, boundary)) as BodyStream,
  };
}

async function* partsOf(form: FormData, boundary: string): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const [name, value] of form) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"`;
    if (typeof value === 'string') {
      yield encoder.encode(`${head}\r\n\r\n${value.replaceAll(/\r\n?|\n/g, '\r\n')}\r\n`);
      continue;
    }
    const type = value.type || 'application/octet-stream';
    yield encoder.encode(`${head}; filename="${escaped(value.name)}"\r\nContent-Type: ${type}\r\n\r\n`);
    yield* value.stream();
    yield encoder.encode('\r\n');
  }
  yield encoder.encode(`--${boundary}--\r\n`);
}

const escaped = (name: string) => name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
