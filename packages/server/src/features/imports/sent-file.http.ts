import { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { AppError, invalidField } from '#platform/errors.ts';
import type { App } from '#platform/http/app-kit.ts';

/** Lets routes take one file, as long as it likes: it is read as it comes. */
export async function takeFiles(app: App): Promise<void> {
  await app.register(multipart, {
    limits: { files: 1, fields: 10, fieldSize: 10_000, fileSize: Number.MAX_SAFE_INTEGER },
  });
}

/** The file of a form, to be read as it comes. @throws {AppError} invalid_request when there is none */
export async function sentFile(
  request: FastifyRequest,
  unnamed: string,
): Promise<{ source: Readable; fileName: string }> {
  const part = await request.file();
  if (!part) throw invalidField('file', 'Send the CSV as a file in a multipart form.');
  // leaves out characters that cannot be stored, or break a line
  const fileName = part.filename?.replaceAll(/\p{Cc}/gu, '').slice(-200) || unnamed;
  return { source: Readable.from(whole(part.file)), fileName };
}

/** The file as it comes, with a word of its own for one that breaks off. */
async function* whole(file: Readable): AsyncGenerator<Buffer> {
  try {
    yield* file as AsyncIterable<Buffer>;
  } catch (cause) {
    throw new AppError('malformed_body', 'The upload ended before the file was complete. Nothing was imported.', {
      cause,
    });
  }
}
