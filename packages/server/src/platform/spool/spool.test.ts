import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { systemRandom } from '../random.ts';
import { Spool } from './spool.ts';

let folder: string;
let spool: Spool;
const open = (limit = 4000) => Spool.open({ folder, limit, random: systemRandom(systemClock) });
beforeEach(async () => {
  folder = path.join(await mkdtemp(path.join(tmpdir(), 'tonerow-spool-')), 'spool');
  spool = await open();
});
afterEach(() => rm(path.dirname(folder), { recursive: true, force: true }));

describe('the spool', () => {
  it('keeps its folder to its owner, leaves no name behind, and removes what a dead process left', async () => {
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const file = await spool.create('ada');
    await file.write(Buffer.from('secret'));
    expect(await readdir(folder)).toEqual([]);
    await file.close();
    await writeFile(path.join(folder, 'left'), 'half an import');
    await open();
    expect(await readdir(folder)).toEqual([]);
  });

  it('holds a body until it is read, twice if need be', async () => {
    const seen: string[] = [];
    const file = await spool.receive(Readable.from([Buffer.from('one,'), Buffer.from('two')]), 'ada', {
      onChunk: (chunk) => seen.push(String(chunk)),
    });
    expect(seen).toEqual(['one,', 'two']);
    expect([await text(file.read()), await text(file.read())]).toEqual(['one,two', 'one,two']);
    expect(spool.used).toBe(7);
    await file.close();
    await file.close();
    expect(spool.used).toBe(0);
  });

  it('lets a reader follow the writer to the end, or to its failure', async () => {
    const good = await spool.create('ada');
    const reading = text(good.read());
    const begun = good.begun();
    for (const part of ['a', 'b', 'c']) await good.write(Buffer.from(part));
    good.finish();
    await begun;
    expect(await reading).toBe('abc');
    const bad = await spool.create('ada');
    const failing = text(bad.read());
    await bad.write(Buffer.from('a'));
    bad.fail(new Error('the query failed'));
    await expect(failing).rejects.toThrow('the query failed');
    await Promise.all([good.close(), bad.close()]);
  });

  it('gives an account a quarter, and never more than there is', async () => {
    await expect(spool.receive(Readable.from([Buffer.alloc(1001)]), 'ada')).rejects.toMatchObject({ status: 413 });
    const kept = await Promise.all(
      ['ada', 'bob', 'cleo', 'dan'].map((name) => spool.receive(Readable.from([Buffer.alloc(1000)]), name)),
    );
    const busy = { code: 'busy', status: 429, retryAfter: 30 };
    await expect(spool.receive(Readable.from([Buffer.alloc(10)]), 'ada')).rejects.toMatchObject(busy);
    await expect(spool.receive(Readable.from([Buffer.alloc(10)]), 'eve')).rejects.toMatchObject(busy);
    for (const file of kept) await file.close();
    expect(spool.used).toBe(0);
  });

  it('keeps nothing of a body that breaks off or is refused', async () => {
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('half');
        throw new Error('cut');
      })(),
    );
    await expect(spool.receive(broken, 'ada')).rejects.toThrow('cut');
    const refuse = () => {
      throw new Error('not a CSV');
    };
    await expect(spool.receive(Readable.from([Buffer.from('x')]), 'ada', { onChunk: refuse })).rejects.toThrow(
      'not a CSV',
    );
    expect(spool.used).toBe(0);
  });
});
