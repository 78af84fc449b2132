import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer, text } from 'node:stream/consumers';

/** The ways in which a bucket can fail. */
export type Trouble = 'busy' | 'denied' | 'silent' | 'broken';

export interface Bucket {
  endpoint: string;
  /** Its objects, by bucket and key: `/tonerow/images/….webp`. */
  objects: Map<string, StoredContent>;
  /** Fails in this way from now on, until it is called without a trouble. */
  trouble(trouble?: Trouble): void;
  close(): void;
}

interface StoredContent {
  body: Buffer;
  type: string;
}

/** How many names one page of a list has; the real thing has a thousand. */
const PAGE = 3;

/** The part of S3 that is used, with signed requests only, on a port of its own. */
export async function openBucket(): Promise<Bucket> {
  const objects = new Map<string, StoredContent>();
  let trouble: Trouble | undefined;
  const server = fakeBucket(objects, () => trouble);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    trouble(next) {
      trouble = next;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const xml = (response: ServerResponse, status: number, body: string) =>
  response.writeHead(status, { 'content-type': 'application/xml' }).end(body);

function fakeBucket(objects: Map<string, StoredContent>, troubled: () => Trouble | undefined) {
  const uploads = new Map<string, { type: string; parts: Map<number, { body: Buffer; etag: string }> }>();
  const absent = (response: ServerResponse, code: string) =>
    response.writeHead(404, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`);

  const inParts = async (request: IncomingMessage, response: ServerResponse, name: string, query: URLSearchParams) => {
    if (query.has('uploads')) {
      const id = `upload/+${randomUUID()}`;
      uploads.set(id, { type: request.headers['content-type'] ?? '', parts: new Map() });
      return response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    }
    const id = query.get('uploadId') as string;
    const upload = uploads.get(id);
    if (!upload) return absent(response, 'NoSuchUpload');
    if (request.method === 'DELETE') {
      uploads.delete(id);
      return response.writeHead(204).end();
    }
    if (request.method === 'PUT') {
      const body = await buffer(request);
      const etag = `"${createHash('md5').update(body).digest('hex')}"`;
      upload.parts.set(Number(query.get('partNumber')), { body, etag });
      return response.writeHead(200, { etag }).end();
    }
    const wanted = [...(await text(request)).matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
      number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
      etag: /<ETag>(.*?)</.exec(part)?.[1]?.replaceAll('&quot;', '"'),
    }));
    const ordered = wanted.every(({ number }, i) => i === 0 || number > (wanted[i - 1]?.number ?? 0));
    const found = wanted.map(({ number, etag }) => {
      const part = upload.parts.get(number);
      return part?.etag === etag ? part?.body : undefined;
    });
    if (!ordered || found.includes(undefined)) {
      return response
        .writeHead(400, { 'content-type': 'application/xml' })
        .end('<Error><Code>InvalidPart</Code></Error>');
    }
    objects.set(name, { body: Buffer.concat(found as Buffer[]), type: upload.type });
    uploads.delete(id);
    return response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end('<CompleteMultipartUploadResult><ETag>"all"</ETag></CompleteMultipartUploadResult>');
  };

  return createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://bucket');
    const name = decodeURIComponent(url.pathname);
    const trouble = troubled();
    if (trouble === 'silent') return;
    if (trouble === 'broken') return void request.socket.destroy();
    if (trouble === 'busy') return void xml(response, 503, '<Error><Code>SlowDown</Code></Error>');
    if (trouble === 'denied') return void xml(response, 403, '<Error><Code>AccessDenied</Code></Error>');
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=id/'))
      return void response.writeHead(403).end();
    if (url.searchParams.has('uploads') || url.searchParams.has('uploadId'))
      return void (await inParts(request, response, name, url.searchParams));
    if (url.searchParams.get('list-type') === '2') return void listed(response, name, url.searchParams, objects);
    const stored = objects.get(name);
    if (request.method === 'PUT') {
      objects.set(name, { body: await buffer(request), type: request.headers['content-type'] ?? '' });
      response.writeHead(200, { etag: '"1"' }).end();
    } else if (request.method === 'DELETE') {
      objects.delete(name);
      response.writeHead(204).end();
    } else if (stored) {
      const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
      const body = range ? stored.body.subarray(Number(range[1]), Number(range[2]) + 1) : stored.body;
      response.writeHead(range ? 206 : 200, { 'content-type': stored.type, 'content-length': body.length });
      response.end(request.method === 'HEAD' ? undefined : body);
    } else {
      absent(response, 'NoSuchKey');
    }
  });
}

/** Lists objects in the order of their names, page by page. */
function listed(
  response: ServerResponse,
  bucket: string,
  query: URLSearchParams,
  objects: ReadonlyMap<string, StoredContent>,
): void {
  const root = `${bucket.replace(/\/$/, '')}/`;
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? '';
  const all = [...objects.keys()]
    .filter((name) => name.startsWith(root))
    .map((name) => name.slice(root.length))
    .filter((key) => key.startsWith(prefix) && key > after)
    .sort();
  const page = all.slice(0, PAGE);
  const more = all.length > page.length;
  const contents = page.map((key) => {
    const size = objects.get(root + key)?.body.length ?? 0;
    return `<Contents><Key>${key}</Key><Size>${size}</Size></Contents>`;
  });
  const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  xml(
    response,
    200,
    `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
  );
}
