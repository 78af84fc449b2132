import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { unseal } from '#platform/archive/age.ts';
import * as m from '#platform/archive/manifest.ts';
import { StartupError } from '#platform/errors.ts';

/** The largest file that is read as a whole, in bytes. */
const LARGEST = 256 * 1024 * 1024;

/** An archive whose manifest is known to be the one that was sealed. */
export class AccountArchive {
  readonly manifest: m.Manifest;
  readonly values: readonly m.SealedValue[];
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(
    zip: ZipFile,
    entries: ReadonlyMap<string, Entry>,
    content: { manifest: m.Manifest; values: m.SealedValue[] },
  ) {
    this.#zip = zip;
    this.#entries = entries;
    this.manifest = content.manifest;
    this.values = content.values;
  }

  /** @throws {StartupError} for what is none, is cut off, is newer, or has another passphrase. */
  static async open(file: string, passphrase: string): Promise<AccountArchive> {
    const zip = await opened(file);
    try {
      const entries = await entriesOf(zip, file);
      const text = await whole(zip, entries.get(m.MANIFEST), file);
      const manifest = readManifest(text, file);
      const plain = await unseal(await whole(zip, entries.get(m.SEALED), file), passphrase).catch((error) => {
        throw new StartupError((error as Error).message, { cause: error });
      });
      const [head, ...values] = plain.toString().trimEnd().split('\n');
      const { manifest_sha256 } = m.SealedHead.parse(JSON.parse(head as string));
      if (createHash('sha256').update(text).digest('hex') !== manifest_sha256) throw altered(m.MANIFEST);
      const content = { manifest, values: values.map((line) => m.SealedValue.parse(JSON.parse(line))) };
      return new AccountArchive(zip, entries, content);
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  /** Reads everything. @throws {StartupError} for what is missing, too much, or not as it was. */
  async verify(): Promise<void> {
    const known = new Set([m.MANIFEST, m.SEALED, ...this.manifest.files.map(({ path }) => path)]);
    for (const name of this.#entries.keys()) if (!known.has(name)) throw altered(name);
    for (const { path, bytes, sha256 } of this.manifest.files) {
      const hash = createHash('sha256');
      let size = 0;
      try {
        for await (const chunk of (await this.read(path)) as AsyncIterable<Buffer>) {
          hash.update(chunk);
          size += chunk.length;
        }
      } catch (error) {
        throw altered(path, error);
      }
      if (size !== bytes || hash.digest('hex') !== sha256) throw altered(path);
    }
  }

  async read(path: string): Promise<Readable> {
    const entry = this.#entries.get(path);
    if (!entry) throw altered(path);
    return streamOf(this.#zip, entry);
  }

  close(): void {
    this.#zip.close();
  }
}

function readManifest(text: Buffer, file: string): m.Manifest {
  let found: { format?: unknown; version?: unknown };
  try {
    found = JSON.parse(text.toString());
  } catch (error) {
    throw noArchive(file, error);
  }
  if (found?.format === 'tonerow-account' && typeof found.version === 'number' && found.version > m.VERSION)
    throw new StartupError('A newer version of Tonerow made this archive. Bring this server up to date first.');
  const read = m.Manifest.safeParse(found);
  if (!read.success) throw noArchive(file, read.error);
  return read.data;
}

const opened = (file: string) =>
  new Promise<ZipFile>((resolve, reject) => {
    yauzl.open(file, { lazyEntries: true, autoClose: false }, (error, zip) => {
      if (!error) return resolve(zip);
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        return reject(new StartupError(`There is no file at ${file}.`));
      return reject(noArchive(file, error));
    });
  });

const entriesOf = (zip: ZipFile, file: string) =>
  new Promise<Map<string, Entry>>((resolve, reject) => {
    const entries = new Map<string, Entry>();
    zip.on('entry', (entry: Entry) => {
      if (entries.has(entry.fileName)) return reject(altered(entry.fileName));
      entries.set(entry.fileName, entry);
      zip.readEntry();
    });
    zip.once('end', () => resolve(entries));
    zip.once('error', (error) => reject(noArchive(file, error)));
    zip.readEntry();
  });

const streamOf = (zip: ZipFile, entry: Entry) =>
  new Promise<Readable>((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
  });

async function whole(zip: ZipFile, entry: Entry | undefined, file: string): Promise<Buffer> {
  if (!entry || entry.uncompressedSize > LARGEST) throw noArchive(file);
  try {
    return await buffer(await streamOf(zip, entry));
  } catch (error) {
    throw noArchive(file, error);
  }
}

const noArchive = (file: string, cause?: unknown) =>
  new StartupError(`${file} is not an archive of an account, or it is cut off.`, { cause });
const altered = (path: string, cause?: unknown) =>
  new StartupError(`The archive was changed or is damaged: ${path} is not as it was. Nothing was restored.`, { cause });
