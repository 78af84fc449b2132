import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteRange, StoredObject } from '#platform/storage/storage.ts';
import { attachment } from './file-name.ts';
import type { OpenFile } from './files.service.ts';
import { requestedRange } from './range.ts';

/** Answers a stored file, or the range of it that was asked for. It never changes under its id. */
export async function sendRanged(
  file: OpenFile,
  read: (range: ByteRange | null) => Promise<StoredObject>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const etag = `"${file.id}"`;
  const lastModified = file.completedAt.toUTCString();
  reply.headers({
    etag,
    'last-modified': lastModified,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-transform',
    'x-content-type-options': 'nosniff',
  });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  const asked = { range: request.headers.range, ifRange: ifRangeOf(request), etag, lastModified };
  const range = requestedRange(asked, file.size);
  if (range === 'unsatisfiable') {
    return reply.code(416).header('content-range', `bytes */${file.size}`).send();
  }
  const { stream, size } = await read(range);
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.size}`);
  reply.header('content-length', size).header('content-disposition', attachment(file.name));
  reply.type('application/octet-stream');
  if (request.method !== 'HEAD') return reply.send(stream);
  stream.destroy();
  return reply.send();
}

function ifRangeOf(request: FastifyRequest): string | undefined {
  const value = request.headers['if-range'];
  return Array.isArray(value) ? value[0] : value;
}
