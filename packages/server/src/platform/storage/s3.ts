import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { assertKey, type Storage } from './storage.ts';

interface S3Options {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Any S3-compatible bucket (R2, S3, MinIO …). The SDK is loaded only where it is configured. */
export async function s3Storage(options: S3Options): Promise<Storage> {
  const { DeleteObjectCommand, GetObjectCommand, NoSuchKey, S3Client: Client } = await import('@aws-sdk/client-s3');
  const { Upload } = await import('@aws-sdk/lib-storage');
  const client: S3Client = new Client({
    endpoint: options.endpoint,
    region: options.region,
    forcePathStyle: true,
    credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey },
    // other makers' buckets do not all know the newer checksums
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const place = (key: string) => {
    assertKey(key);
    return { Bucket: options.bucket, Key: key };
  };
  return {
    async put(key, body, type) {
      await new Upload({ client, params: { ...place(key), Body: body, ContentType: type } }).done();
    },
    async get(key) {
      try {
        const found = await client.send(new GetObjectCommand(place(key)));
        return {
          stream: found.Body as Readable,
          size: found.ContentLength ?? 0,
          type: found.ContentType ?? 'application/octet-stream',
        };
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw error;
      }
    },
    async delete(key) {
      await client.send(new DeleteObjectCommand(place(key)));
    },
    close: () => client.destroy(),
  };
}
