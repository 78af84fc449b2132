import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { jobKind } from '#platform/jobs/job.ts';

/** Reads a complete file once for its SHA-256. Its parts came in requests of their own, and a hash cannot be carried between those. */
export const hashFileJob = jobKind<{ developerId: string; fileId: string }>({
  name: 'hash-file',
  retryLimit: 5,
  retryDelay: 30,
  // a file of 5 GB from a slow storage
  expireInSeconds: 3600,
});

export async function sha256Of(stream: Readable): Promise<{ sha256: Buffer; size: number }> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { sha256: hash.digest(), size };
}
