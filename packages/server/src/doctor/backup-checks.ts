import { statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '#platform/clock.ts';
import { plainPlural } from '#platform/text/plural.ts';
import { type BackupAge, backupAges } from '../backup/backup-age.ts';
import { isBucket } from '../backup/places.ts';
import type { Config } from '../config.ts';
import { type Found, failed, inBytes, ok, warning, wordsOf } from './finding.ts';

const HOUR = 3600;
/** How old a backup may be: a night that was missed, and half of the next day. */
const OLD = 36 * HOUR;

/** Free bytes where a folder is. */
type Free = (folder: string) => Promise<number>;

export async function backups({ backups }: Config, clock: Clock, free: Free = freeBytes): Promise<Found[]> {
  if (backups.to.length === 0)
    return [
      warning(
        'TONEROW_BACKUP_TO is not set, so nobody knows whether there are backups.',
        'Set it to where they are, and let them be made: tonerow-server backup --schedule "0 3 * * *" --keep 14',
      ),
    ];
  const ages = await backupAges(backups, clock.now());
  const found = (
    await Promise.all(ages.map(async (age) => [...judgeBackup(age), ...(await roomFor(age, free))]))
  ).flat();
  if (backups.to.every((where) => !isBucket(where)))
    found.push(
      warning(
        'All backups are on disks of this machine or its network.',
        'Add a bucket elsewhere to TONEROW_BACKUP_TO.',
      ),
    );
  return found;
}

export function judgeBackup({ where, seconds, reason, size = 0, ahead }: BackupAge): Found[] {
  const todo = 'See the log of: tonerow-server backup --schedule';
  if (seconds === null)
    return [
      failed(`${where} cannot be looked at: ${wordsOf(new Error(reason))}`, 'Check TONEROW_BACKUP_TO and its keys.'),
    ];
  const found: Found[] = [];
  if (ahead)
    found.push(
      warning(
        `${where} has ${ahead}, whose moment has not come: the clock of this machine, or of the one that made it, is wrong.`,
        'Set the clocks by NTP. Until its moment it is neither counted nor deleted.',
      ),
    );
  const newest = `The newest backup in ${where} is ${inHours(seconds)} old`;
  if (seconds === Number.POSITIVE_INFINITY) found.push(failed(`${where} has no backup.`, todo));
  else if (size === 0) found.push(failed(`${newest} and empty.`, 'Make another one: tonerow-server backup'));
  else if (seconds > OLD) found.push(failed(`${newest}.`, todo));
  else found.push(ok(`${newest} and has ${inBytes(size)}.`));
  return found;
}

const inHours = (seconds: number) => {
  const hours = Math.round(seconds / HOUR);
  if (hours >= 72) return plainPlural(Math.floor(hours / 24), 'day');
  return hours > 0 ? plainPlural(hours, 'hour') : plainPlural(Math.round(seconds / 60), 'minute');
};

/** Whether the next one fits, which is as large as the newest. */
async function roomFor({ where, size = 0 }: BackupAge, free: Free): Promise<Found[]> {
  if (isBucket(where) || size === 0) return [];
  const left = await free(path.resolve(where));
  if (left > size * 1.2) return [];
  return [
    warning(
      `The disk of ${where} has ${inBytes(left)} free, and the next backup needs about ${inBytes(size)}.`,
      'Give it more space, or keep fewer backups there.',
    ),
  ];
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
