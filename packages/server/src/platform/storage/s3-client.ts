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
  client.middlewareStack.add((next) => (args) => next(args).catch(inWords), { step: 'initialize' });
  return { s3, Upload, client };
}

const REFUSED = 'the keys are wrong, or may not do this';
const MEANING: Record<number, string> = {
  301: 'it is in another region',
  401: REFUSED,
  403: REFUSED,
  404: 'there is no such bucket',
  503: 'it is too busy',
};

/** An answer without a body, that of somebody else, and several attempts to connect are errors without words. @throws {Error} */
function inWords(error: Error & { code?: string; errors?: Error[]; $metadata?: { httpStatusCode?: number } }): never {
  if (error.message === '' || /^Unknown(?:Error)?$/.test(error.message)) {
    const status = error.$metadata?.httpStatusCode;
    const meaning = MEANING[status ?? 0];
    const answer = status && `the bucket answered ${status}${meaning ? `: ${meaning}` : ''}`;
    error.message = answer || error.errors?.[0]?.message || error.code || error.name;
  }
  if (/Deserialization error/.test(error.message)) error.message = 'what answers there is no object storage';
  throw error;
}
