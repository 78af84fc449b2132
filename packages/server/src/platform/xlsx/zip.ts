import type { Readable } from 'node:stream';
import yauzl, { type Entry, RandomAccessReader } from 'yauzl';
import type { SpoolFile } from '../spool/spool-file.ts';
import { notAWorkbook } from './unusable.ts';

/** A workbook has some dozens of parts. */
const MOST_ENTRIES = 2000;
/** More than a million rows of a dozen columns; what unpacks to more was made to. */
const MOST_UNPACKED = 2 * 1024 ** 3;

class SpooledZip extends RandomAccessReader {
  readonly #file: SpoolFile;

  constructor(file: SpoolFile) {
    super();
    this.#file = file;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return this.#file.slice(start, end);
  }
}

/** The parts of an archive, by their names. Each is unpacked while it is read, and none further than announced. */
export class Archive {
  readonly #zip: yauzl.ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: yauzl.ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /** @throws {AppError} csv_unusable for what is no archive, or one that unpacks to more than any workbook */
  static async open(file: SpoolFile): Promise<Archive> {
    const options = { lazyEntries: true, autoClose: false };
    const entries = new Map<string, Entry>();
    try {
      const zip = await new Promise<yauzl.ZipFile>((resolve, reject) => {
        yauzl.fromRandomAccessReader(new SpooledZip(file), file.size, options, (error, opened) =>
          error ? reject(error) : resolve(opened),
        );
      });
      let unpacked = 0;
      for await (const entry of zip.eachEntry()) {
        unpacked += entry.uncompressedSize;
        if (entries.size >= MOST_ENTRIES || unpacked > MOST_UNPACKED)
          throw notAWorkbook('The workbook is larger than any that can be read. Save the sheet as CSV.');
        entries.set(entry.fileName.replace(/^\//, ''), entry);
      }
      return new Archive(zip, entries);
    } catch (error) {
      throw notAWorkbook('The file is damaged: it is no complete workbook.', error);
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** @throws {AppError} csv_unusable when there is no such part, or it is encrypted */
  async read(name: string): Promise<Readable> {
    const entry = this.#entries.get(name);
    if (!entry) throw notAWorkbook('The file is no Excel workbook. Save the sheet as .xlsx or CSV.');
    if (entry.isEncrypted()) throw notAWorkbook('The workbook is protected by a password. Save it without one.');
    try {
      return await this.#zip.openReadStreamPromise(entry);
    } catch (error) {
      throw notAWorkbook('The file is damaged: it is no complete workbook.', error);
    }
  }
}
