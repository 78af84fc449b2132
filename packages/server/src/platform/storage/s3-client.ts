import { SECOND } from '../clock.ts';

export interface S3Access {
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** A bucket that takes no connection is away, and so is one that does not answer; a whole part has to fit in the second. */
const PATIENCE = { connectionTimeout: 5 * SECOND, requestTimeout: 120 * SECOND, throwOnRequestTimeout: true };

/** The SDK, which is loaded only where a bucket is configured, and a client of it. */
export async function openS3({ endpoint, region, accessKeyId, secretAccessKey }: S3Access) {
  const s3 = await import('@aws-sdk/client-s3');
  const { Upload } = await import('@aws-sdk/lib-storage');
  const client = new s3.S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    // other vendors' buckets do not all support the newer checksums
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: PATIENCE,
  });
  return { s3, Upload, client };
}
