import { createReadStream } from 'node:fs';
import { access, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Readable, Transform, type Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { DAY, MINUTE } from '#platform/clock.ts';
import { StartupError } from '#platform/errors.ts';
import { openS3, type S3Access } from '#platform/storage/s3-client.ts';

/** A backup on its way. It gets its name when it is whole. */
export interface Draft {
  /** Where it will be. */
  target: string;
  stream: Writable;
  /** @throws {StartupError} when the name was given to another one meanwhile. */
  commit(): Promise<void>;
  /** Leaves nothing. */
  abort(error: Error): Promise<void>;
}

/** A backup that is there, as its name has it. */
export interface Kept {
  name: string;
  at: Date;
}

/** The place of backups: a folder, or a bucket with a prefix of names. */
export interface Place {
  /** As it was configured, for logs and figures. */
  readonly where: string;
  draft(name: string): Promise<Draft>;
  read(name: string): Promise<Readable>;
  size(name: string): Promise<number | null>;
  /** Those with names that {@link nameOf} gives, oldest first. Other files are nobody's business. */
  list(): Promise<Kept[]>;
  delete(name: string): Promise<void>;
  close(): void;
}

/** The name of a backup without one of its own: its moment, in an order that every list has. */
export const nameOf = (at: Date): string => `tonerow-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`;
const NAME = /^tonerow-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.backup$/;

function keptOf(name: string): Kept[] {
  const [, day, hour, minute, second] = NAME.exec(name) ?? [];
  const at = new Date(`${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at.getTime()) ? [] : [{ name, at }];
}

const sorted = (names: readonly string[]): Kept[] =>
  names.flatMap(keptOf).sort((a, b) => a.at.getTime() - b.at.getTime());

/** How far ahead the clock of another machine may be. */
const AHEAD = 5 * MINUTE;

/** Whether its moment has come. A wrong clock gives names of later ones, which prove nothing and are left alone until then. */
export const isPast = ({ at }: Kept, now: Date): boolean => at.getTime() - now.getTime() <= AHEAD;

/** A folder, which is made when the first backup comes. */
export function folderPlace(folder: string): Place {
  const at = (name: string) => path.join(folder, name);
  return {
    where: folder,
    draft: async (name) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await deleteHalves(folder, name);
      return fileDraft(at(name));
    },
    read: async (name) => createReadStream(at(name), { highWaterMark: 1024 * 1024 }),
    size: (name) => stat(at(name)).then(({ size }) => size, absent),
    async list() {
      const names = await readdir(folder).catch(absent);
      return sorted(names ?? []);
    },
    delete: (name) => rm(at(name), { force: true }),
    close: () => undefined,
  };
}

/** Deletes the remains of a backup that was killed, when they are older than any backup takes. */
async function deleteHalves(folder: string, name: string): Promise<void> {
  const now = keptOf(name)[0]?.at.getTime() ?? 0;
  for (const half of (await readdir(folder)).filter((each) => each.endsWith('.part'))) {
    const [draft] = keptOf(half.slice(0, -'.part'.length));
    if (draft && now - draft.at.getTime() > DAY) await rm(path.join(folder, half), { force: true });
  }
}

/** @throws {StartupError} for a name that is taken. */
export async function fileDraft(target: string): Promise<Draft> {
  await refuseTaken(target);
  const half = `${target}.part`;
  const handle = await open(half, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new StartupError(
      `${half} is there: another backup is being written to it, or one was killed. If none is, delete it.`,
    );
  });
  const file = handle.createWriteStream({ flush: true });
  const written = finished(file);
  // looked at below; until then it must not end the process
  written.catch(() => undefined);
  return {
    target,
    stream: file,
    async commit() {
      await written;
      await giveName(half, target);
    },
    async abort() {
      file.destroy();
      await rm(half, { force: true });
    },
  };
}

const taken = (target: string) =>
  new StartupError(
    `${target} is there already. A backup never replaces another one: choose another name, or delete it.`,
  );

async function refuseTaken(target: string): Promise<void> {
  const free = await access(target).then(
    () => false,
    () => true,
  );
  if (!free) throw taken(target);
}

/** A rename would replace what has the name; a second name for the same file is refused. */
async function giveName(half: string, target: string): Promise<void> {
  try {
    await link(half, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw taken(target);
    // disks without second names
    await refuseTaken(target);
    await rename(half, target);
    return;
  }
  await rm(half);
}

/** Whole parts are held in memory, two at a time; a bucket takes 10,000 of one object. */
const PART = 32 * 1024 * 1024;

/** @param address `s3://BUCKET/PREFIX` */
export async function bucketPlace(address: string, s3Access: S3Access | undefined): Promise<Place> {
  if (!s3Access)
    throw new StartupError(
      `${address}: set S3_ENDPOINT, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or those that begin with TONEROW_BACKUP_S3_.`,
    );
  const { s3, Upload, client } = await openS3(s3Access);
  const { bucket: Bucket, prefix } = partsOf(address);
  const object = (name: string) => ({ Bucket, Key: `${prefix}${name}` });
  const size = async (name: string) => {
    const found = await client.send(new s3.HeadObjectCommand(object(name))).catch(ignoreAbsent);
    return found ? (found.ContentLength ?? 0) : null;
  };
  return {
    where: address,
    async draft(name) {
      if ((await size(name)) !== null) throw taken(`${address} ${name}`);
      let bytes = 0;
      const stream = new Transform({
        highWaterMark: 1024 * 1024,
        transform(chunk: Buffer, _encoding, done) {
          bytes += chunk.length;
          done(null, chunk);
        },
      });
      // the writer and the upload get the same error
      stream.on('error', () => undefined);
      const params = { ...object(name), Body: stream, ContentType: 'application/octet-stream' };
      const upload = new Upload({ client, params, partSize: PART, queueSize: 2 });
      const done = upload.done();
      done.catch((error: Error) => stream.destroy(error));
      return {
        target: `s3://${Bucket}/${prefix}${name}`,
        stream,
        async commit() {
          await done;
          const there = await size(name);
          if (there !== bytes)
            throw new Error(`${address} has ${there ?? 'nothing'} instead of ${bytes} bytes of ${name}.`);
        },
        async abort(error) {
          stream.destroy(error);
          await upload.abort();
          await done.catch(() => undefined);
        },
      };
    },
    async read(name) {
      const found = await client.send(new s3.GetObjectCommand(object(name))).catch(ignoreAbsent);
      if (!found) throw new StartupError(`${address} has no ${name}.`);
      return found.Body as Readable;
    },
    size,
    async list() {
      const names: string[] = [];
      let after: string | undefined;
      do {
        const page = await client.send(
          new s3.ListObjectsV2Command({
            Bucket,
            Prefix: `${prefix}tonerow-`,
            ...(after ? { ContinuationToken: after } : {}),
          }),
        );
        names.push(...(page.Contents ?? []).map(({ Key = '' }) => Key.slice(prefix.length)));
        after = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (after);
      return sorted(names);
    },
    delete: async (name) => {
      await client.send(new s3.DeleteObjectCommand(object(name)));
    },
    close: () => client.destroy(),
  };
}

/** The bucket of `s3://BUCKET/PREFIX`, and what its names begin with: nothing, or something that ends with a slash. */
export function partsOf(address: string): { bucket: string; prefix: string } {
  const [, bucket = '', rest = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(address) ?? [];
  const prefix = rest.replace(/\/+$/, '');
  return { bucket, prefix: prefix === '' ? '' : `${prefix}/` };
}

export const isBucket = (place: string): boolean => place.startsWith('s3://');

/** A folder or a bucket, by how it is written. */
export async function openPlace(where: string, s3Access: S3Access | undefined): Promise<Place> {
  return isBucket(where) ? bucketPlace(where, s3Access) : folderPlace(path.resolve(where));
}

/** Brings a backup from one place to another, whole or not at all. */
export async function copyBackup(name: string, from: Place, to: Place): Promise<void> {
  const draft = await to.draft(name);
  try {
    await pipeline(await from.read(name), draft.stream);
    await draft.commit();
  } catch (error) {
    await draft.abort(error as Error);
    throw error;
  }
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

function ignoreAbsent(error: { $metadata?: { httpStatusCode?: number } }): null {
  if (error.$metadata?.httpStatusCode === 404) return null;
  throw error;
}
