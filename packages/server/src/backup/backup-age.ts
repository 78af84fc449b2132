import type { Clock } from '#platform/clock.ts';
import type { Metrics } from '#platform/metrics/metrics.ts';
import type { BackupConfig } from '../config.ts';
import { openPlace } from './places.ts';

export interface BackupAge {
  where: string;
  /** Infinite when there is none, null when the place cannot be looked at. */
  seconds: number | null;
  /** Why it cannot. */
  reason?: string;
}

/** How old the newest backup of each place is. */
export async function backupAges({ to, s3 }: BackupConfig, now: Date): Promise<BackupAge[]> {
  return Promise.all(
    to.map(async (where) => {
      try {
        const place = await openPlace(where, s3);
        const newest = await place
          .list()
          .then((all) => all.at(-1))
          .finally(() => place.close());
        return { where, seconds: newest ? (now.getTime() - newest.at.getTime()) / 1000 : Number.POSITIVE_INFINITY };
      } catch (error) {
        return { where, seconds: null, reason: (error as Error).message };
      }
    }),
  );
}

const LOOKED_EVERY = 60_000;

/** What an alert looks at: a schedule that does not run, or a place that nothing arrives at. */
export function backupFigures(metrics: Metrics, backups: BackupConfig, clock: Clock): void {
  if (backups.to.length === 0) return;
  metrics.measured(
    {
      name: 'tonerow_backup_age_seconds',
      help: 'Age of the newest backup at each place of TONEROW_BACKUP_TO; infinite where there is none',
      labelNames: ['place'],
    },
    async () => {
      const ages = await backupAges(backups, clock.now());
      return ages.flatMap(({ where, seconds }) => (seconds === null ? [] : [[{ place: where }, seconds]]));
    },
    LOOKED_EVERY,
  );
}
