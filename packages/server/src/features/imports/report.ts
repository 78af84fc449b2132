import { once } from 'node:events';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { readCsv } from '#platform/csv/read.ts';
import { csvLine } from '#platform/csv/write.ts';
import type { Storage } from '#platform/storage/storage.ts';
import type { Rejection } from './importer.ts';
import { MAX_WARNINGS } from './imports.schemas.ts';

/** Collects rejected lines: the first ones for the answer, all of them in a file that can be downloaded. */
export class Report {
  readonly warnings: { line: number; reason: string }[] = [];
  count = 0;
  readonly #also: ((rejection: Rejection) => void) | undefined;
  #folder: string | undefined;
  #file: WriteStream | undefined;

  /** @param also sees each of them */
  constructor(also?: (rejection: Rejection) => void) {
    this.#also = also;
  }

  async add(rejection: Rejection): Promise<void> {
    const { line, what, reason } = rejection;
    this.#also?.(rejection);
    this.count += 1;
    if (this.warnings.length < MAX_WARNINGS) this.warnings.push({ line, reason });
    this.#file ??= await this.#open();
    if (!this.#file.write(csvLine([line, what.slice(0, 200), reason]))) {
      await once(this.#file, 'drain');
    }
  }

  async #open(): Promise<WriteStream> {
    this.#folder = await mkdtemp(path.join(tmpdir(), 'tonerow-import-'));
    const file = createWriteStream(path.join(this.#folder, 'report.csv'), { mode: 0o600 });
    file.write(csvLine(['Line', 'What', 'Reason']));
    return file;
  }

  /** Puts the file where it can be fetched. */
  async keep(storage: Storage, key: string): Promise<void> {
    if (!this.#file) return;
    this.#file.end();
    await finished(this.#file);
    await storage.put(key, createReadStream(this.#file.path as string), 'text/csv');
  }

  async close(): Promise<void> {
    this.#file?.destroy();
    if (this.#folder) await rm(this.#folder, { recursive: true, force: true });
  }
}

/** The first lines of a kept report. */
export async function warningsOf(report: Readable): Promise<Report['warnings']> {
  const table = await readCsv(report, ['Line', 'Reason']);
  const warnings: Report['warnings'] = [];
  for await (const record of table.records) {
    warnings.push({ line: Number(table.cell(record, 'Line')), reason: table.cell(record, 'Reason') });
    if (warnings.length === MAX_WARNINGS) break;
  }
  return warnings;
}
