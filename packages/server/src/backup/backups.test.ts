import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Bucket, openBucket } from '@tonerow/test-support/bucket.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, TestClock } from '#platform/clock.ts';
import { createLogger } from '#platform/log.ts';
import { readCron } from '#platform/time/cron.ts';
import type { BackupReport } from './backup.ts';
import { agesSeen, backupAges } from './backup-age.ts';
import { Backups } from './backups.ts';
import { bucketPlace, type Draft, fileDraft, folderPlace, nameOf, type Place, partsOf } from './places.ts';
import { BackupSchedule } from './schedule.ts';

let folder: string;
let bucket: Bucket;
let clock: TestClock;
let places: { folder: Place; bucket: Place };
const access = () => ({ endpoint: bucket.endpoint, region: 'auto', accessKeyId: 'id', secretAccessKey: 'secret' });

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tonerow-backups-'));
  bucket = await openBucket();
  clock = new TestClock('2026-11-22T12:00:00Z');
  places = { folder: folderPlace(folder), bucket: await bucketPlace('s3://elsewhere/tonerow', access()) };
});
afterEach(async () => {
  places.bucket.close();
  bucket.close();
  await rm(folder, { recursive: true });
});

const report: BackupReport = { tables: 1, files: 0, secret: false, moment: 'one' };
let made = 0;
const nextContent = () => {
  made += 1;
  return `backup ${made}`;
};

/** Writes a backup. Only its bytes matter here. */
const writer =
  (content = nextContent, breaks = () => false) =>
  async (draft: Draft) => {
    try {
      draft.stream.write('begun ');
      if (breaks()) throw new Error('the database went away');
      draft.stream.end(content());
      await draft.commit();
      return report;
    } catch (error) {
      await draft.abort(error as Error);
      throw error;
    }
  };

const inBucket = () => [...bucket.objects.keys()].map((key) => key.replace('/elsewhere/tonerow/', '')).sort();
const inFolder = async () => (await readdir(folder)).sort();

describe('a backup', () => {
  it('never takes the name of another one, whichever place it goes to', async () => {
    const target = path.join(folder, 'monday.backup');
    await writeFile(target, 'precious');
    await expect(fileDraft(target)).rejects.toThrow('is there already. A backup never replaces another one');
    expect(await readFile(target, 'utf8')).toBe('precious');
    // one that gets the name while this one is written is kept as well
    const late = await fileDraft(path.join(folder, 'tuesday.backup'));
    late.stream.end('late');
    await writeFile(path.join(folder, 'tuesday.backup'), 'first');
    await expect(late.commit()).rejects.toThrow('is there already');
    await late.abort(new Error('taken'));
    expect(await readFile(path.join(folder, 'tuesday.backup'), 'utf8')).toBe('first');
    await places.bucket.draft('wednesday.backup').then(writer());
    await expect(places.bucket.draft('wednesday.backup')).rejects.toThrow('is there already');
    expect(await inFolder()).toEqual(['monday.backup', 'tuesday.backup']);
  });

  it.each(['folder', 'bucket'] as const)('that breaks off leaves nothing in a %s', async (where) => {
    const draft = await places[where].draft('half.backup');
    await expect(writer(undefined, () => true)(draft)).rejects.toThrow('went away');
    expect([await inFolder(), inBucket()]).toEqual([[], []]);
  });

  it('that another one writes to the same name is left alone, in words', async () => {
    const target = path.join(folder, 'monday.backup');
    await writeFile(`${target}.part`, 'of somebody else');
    await expect(fileDraft(target).then(writer())).rejects.toThrow('another backup is being written to it');
    expect(await readFile(`${target}.part`, 'utf8')).toBe('of somebody else');
  });

  it('is large in parts, whole in the bucket', async () => {
    const large = 'x'.repeat(40 * 1024 * 1024);
    await places.bucket.draft('large.backup').then(writer(() => large));
    expect(bucket.objects.get('/elsewhere/tonerow/large.backup')?.body.length).toBe(large.length + 'begun '.length);
  }, 60_000);
});

describe('backups of which some are kept', () => {
  it('are in every place under the same name, the newest of them, and nothing of anybody else’s is deleted', async () => {
    const other = ['notes.txt', 'tonerow-before-upgrade.backup', 'tonerow-2026-11-01T03-00-00Z.backup.gz'];
    for (const name of other) await writeFile(path.join(folder, name), 'mine');
    const backups = new Backups({ places: [places.folder, places.bucket], keep: 3, make: writer(), clock });
    const names: string[] = [];
    for (let day = 0; day < 6; day += 1) {
      names.push(nameOf(clock.now()));
      expect((await backups.make()).deleted).toBe(day < 3 ? 0 : 2);
      clock.advance(DAY);
    }
    expect(names[0]).toBe('tonerow-2026-11-22T12-00-00Z.backup');
    expect(inBucket()).toEqual(names.slice(-3));
    expect(await inFolder()).toEqual([...names.slice(-3), ...other].sort());
    const newest = names.at(-1) as string;
    expect(String(bucket.objects.get(`/elsewhere/tonerow/${newest}`)?.body)).toBe(
      await readFile(path.join(folder, newest), 'utf8'),
    );
  });

  it('keep the old ones when the new one fails', async () => {
    let breaks = false;
    const make = writer(undefined, () => breaks);
    const backups = new Backups({ places: [places.folder], keep: 1, make, clock });
    await backups.make();
    breaks = true;
    clock.advance(DAY);
    await expect(backups.make()).rejects.toThrow('went away');
    expect(await inFolder()).toEqual(['tonerow-2026-11-22T12-00-00Z.backup']);
  });

  it('are here although the bucket is away, and are copied when it is back', async () => {
    const backups = new Backups({ places: [places.folder, places.bucket], keep: 2, make: writer(), clock });
    bucket.trouble('denied');
    const failed = backups.make();
    await expect(failed).rejects.toThrow(/^tonerow-\S+ is in .*tonerow-backups-.*s3:\/\/elsewhere/);
    expect([(await inFolder()).length, inBucket().length]).toEqual([1, 0]);
    bucket.trouble();
    expect(await backups.isSpread()).toBe(false);
    await backups.spread();
    expect([await backups.isSpread(), inBucket()]).toEqual([true, await inFolder()]);
  });

  it('in a bucket are found on every page of its list', async () => {
    const backups = new Backups({ places: [places.bucket], keep: undefined, make: writer(), clock });
    for (let day = 0; day < 8; day += 1) {
      await backups.make();
      clock.advance(DAY);
    }
    expect((await places.bucket.list()).map(({ name }) => name)).toEqual(inBucket());
    expect(inBucket()).toHaveLength(8);
  });

  it('leave what was killed a day ago no place on the disk', async () => {
    const old = 'tonerow-2026-11-20T03-00-00Z.backup.part';
    const fresh = 'tonerow-2026-11-22T11-59-00Z.backup.part';
    for (const name of [old, fresh, 'mine.part']) await writeFile(path.join(folder, name), 'half');
    await new Backups({ places: [places.folder], keep: undefined, make: writer(), clock }).make();
    expect(await inFolder()).toEqual(['mine.part', fresh, 'tonerow-2026-11-22T12-00-00Z.backup'].sort());
  });

  it('that a wrong clock made are neither counted nor deleted before their moment, and keep nothing from being made', async () => {
    const ahead = 'tonerow-2027-11-22T03-00-00Z.backup';
    await writeFile(path.join(folder, ahead), 'of a clock a year ahead');
    const backups = new Backups({ places: [places.folder], keep: 1, make: writer(), clock });
    expect(await backups.newest()).toBeNull();
    expect((await backups.make()).deleted).toBe(0);
    clock.advance(DAY);
    expect((await backups.make()).deleted).toBe(1);
    expect(await inFolder()).toEqual(['tonerow-2026-11-23T12-00-00Z.backup', ahead]);
    expect((await backups.newest())?.name).toBe('tonerow-2026-11-23T12-00-00Z.backup');
    const [age] = await backupAges({ to: [folder], s3: undefined }, clock.now());
    expect(age).toMatchObject({ seconds: 0, ahead });
    clock.set('2027-11-22T04:00:00Z');
    expect((await backups.newest())?.name).toBe(ahead);
  });

  it('that were just made stay, although the clock has gone back since the others were', async () => {
    const backups = new Backups({ places: [places.folder], keep: 1, make: writer(), clock });
    await writeFile(path.join(folder, 'tonerow-2026-11-22T12-04-00Z.backup'), 'of another clock');
    expect((await backups.make()).deleted).toBe(0);
    expect(await inFolder()).toContain('tonerow-2026-11-22T12-00-00Z.backup');
  });

  it('have an age at each place', async () => {
    await new Backups({ places: [places.folder], keep: undefined, make: writer(), clock }).make();
    clock.advance(2 * HOUR);
    const to = [folder, path.join(folder, 'empty'), 's3://elsewhere/tonerow'];
    const ages = await backupAges({ to, s3: access() }, clock.now());
    expect(ages.map(({ seconds }) => seconds)).toEqual([7200, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
    bucket.trouble('denied');
    const [denied] = await backupAges({ to: ['s3://elsewhere'], s3: access() }, clock.now());
    expect(denied).toMatchObject({ seconds: null, reason: expect.any(String) });
    // one that does not answer keeps nobody from the age of the others
    bucket.trouble('silent');
    const both = await backupAges({ to: [folder, 's3://elsewhere'], s3: access() }, clock.now(), 1000);
    expect(both.map(({ seconds }) => seconds)).toEqual([7200, null]);
  });

  it('have a figure that grows on while their place cannot be looked at', async () => {
    await new Backups({ places: [places.bucket], keep: undefined, make: writer(), clock }).make();
    const lines: string[] = [];
    const log = createLogger('info', { write: (line) => void lines.push(line) });
    const read = agesSeen({ backups: { to: ['s3://elsewhere/tonerow'], s3: access() }, clock, log });
    const age = async () => (await read())[0]?.seconds;
    bucket.trouble('denied');
    expect([await age(), await age()]).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['a place of backups cannot be looked at']);
    bucket.trouble();
    expect(await age()).toBe(0);
    bucket.trouble('denied');
    clock.advance(HOUR);
    expect(await age()).toBe(3600);
  });
});

describe('a schedule of backups', () => {
  function scheduled(breaks = () => false) {
    const backups = new Backups({ places: [places.folder], keep: 5, make: writer(undefined, breaks), clock });
    const lines: string[] = [];
    const log = createLogger('info', { write: (line) => void lines.push(line) });
    const schedule = new BackupSchedule({ backups, cron: readCron('0 3 * * *'), clock, log });
    const looked = async () => {
      await schedule.look();
      return (await inFolder()).length;
    };
    return { looked, lines, schedule };
  }

  it('begins with one, makes one a night, and makes up once for nights that were missed', async () => {
    const { looked } = scheduled();
    expect([await looked(), await looked()]).toEqual([1, 1]);
    clock.set('2026-11-23T02:59:00Z');
    expect(await looked()).toBe(1);
    clock.set('2026-11-23T03:00:10Z');
    expect([await looked(), await looked()]).toEqual([2, 2]);
    clock.set('2026-11-28T17:00:00Z');
    expect([await looked(), await looked()]).toEqual([3, 3]);
  });

  it('tries what failed again a few minutes later, and logs both', async () => {
    let breaks = true;
    const { looked, lines } = scheduled(() => breaks);
    expect(await looked()).toBe(0);
    expect(lines.at(-1)).toContain('the database went away');
    breaks = false;
    clock.advance(4 * MINUTE);
    expect(await looked()).toBe(0);
    clock.advance(MINUTE);
    expect(await looked()).toBe(1);
    expect(lines.at(-1)).toContain('a backup was made');
  });

  it('ends when it is told to', async () => {
    const { schedule } = scheduled();
    const ended = new AbortController();
    const running = schedule.run(ended.signal);
    await expect.poll(inFolder).toHaveLength(1);
    ended.abort();
    await expect(running).resolves.toBeUndefined();
  });
});

it.each([
  ['s3://backups', 'backups', ''],
  ['s3://backups/', 'backups', ''],
  ['s3://backups/tonerow', 'backups', 'tonerow/'],
  ['s3://backups/a/b/', 'backups', 'a/b/'],
])('%s is the bucket %s with names that begin with "%s"', (address, name, prefix) => {
  expect(partsOf(address)).toEqual({ bucket: name, prefix });
});
