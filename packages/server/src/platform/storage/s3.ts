import type { Readable } from 'node:stream';
import { openS3, type S3Access } from './s3-client.ts';
import { assertKey, ShortPart, type Storage } from './storage.ts';

interface S3Options extends S3Access {
  bucket: string;
}

/** Any S3-compatible bucket (R2, S3, MinIO …). The SDK is loaded only where it is configured. */
export async function s3Storage(options: S3Options): Promise<Storage> {
  const { s3, Upload, client } = await openS3(options);
  const place = (key: string) => {
    assertKey(key);
    return { Bucket: options.bucket, Key: key };
  };
  return {
    async put(key, body, type) {
      await new Upload({ client, params: { ...place(key), Body: body, ContentType: type } }).done();
    },
    async get(key, range) {
      const bytes = range ? { Range: `bytes=${range.start}-${range.end}` } : {};
      const found = await client.send(new s3.GetObjectCommand({ ...place(key), ...bytes })).catch(ignoreAbsent);
      if (!found) return null;
      return {
        stream: found.Body as Readable,
        size: found.ContentLength ?? 0,
        type: found.ContentType ?? 'application/octet-stream',
      };
    },
    async stat(key) {
      const found = await client.send(new s3.HeadObjectCommand(place(key))).catch(ignoreAbsent);
      return found ? { size: found.ContentLength ?? 0 } : null;
    },
    async delete(key) {
      await client.send(new s3.DeleteObjectCommand(place(key)));
    },
    async beginParts(key, type) {
      const begun = await client.send(new s3.CreateMultipartUploadCommand({ ...place(key), ContentType: type }));
      if (!begun.UploadId) throw new Error('the bucket began no upload');
      return begun.UploadId;
    },
    async putPart(key, uploadId, number, body, size) {
      // held in memory: an interrupted part never reaches the bucket, and the bucket gets length and hash in advance
      const part = await collect(body, size);
      const stored = await client.send(
        new s3.UploadPartCommand({ ...place(key), UploadId: uploadId, PartNumber: number, Body: part }),
      );
      if (!stored.ETag) throw new Error('the bucket named no part');
      return `${number} ${stored.ETag}`;
    },
    async completeParts(key, uploadId, parts) {
      const Parts = parts.map((part) => {
        const space = part.indexOf(' ');
        return { PartNumber: Number(part.slice(0, space)), ETag: part.slice(space + 1) };
      });
      await client.send(
        new s3.CompleteMultipartUploadCommand({ ...place(key), UploadId: uploadId, MultipartUpload: { Parts } }),
      );
    },
    async abortParts(key, uploadId) {
      await client.send(new s3.AbortMultipartUploadCommand({ ...place(key), UploadId: uploadId })).catch(ignoreAbsent);
    },
    close: () => client.destroy(),
  };
}

/** @throws {ShortPart} when the stream has another length. */
async function collect(body: Readable, size: number): Promise<Buffer> {
  const whole = Buffer.allocUnsafe(size);
  let filled = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (filled + chunk.length > size) throw new ShortPart();
    filled += chunk.copy(whole, filled);
  }
  if (filled !== size) throw new ShortPart();
  return whole;
}

function ignoreAbsent(error: { $metadata?: { httpStatusCode?: number } }): null {
  if (error.$metadata?.httpStatusCode === 404) return null;
  throw error;
}
