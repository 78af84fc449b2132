import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, MINUTE, SECOND } from '#platform/clock.ts';
import type { Logger } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics/metrics.ts';
import type { BackupConfig } from '../config.ts';
import { isPast, openPlace, type Place } from './places.ts';

export interface BackupAge {
  where: string;
  /** Infinite when there is none, null when the place cannot be looked at. */
  seconds: number | null;
  /** Why it cannot. */
  reason?: string;
  /** Bytes of the newest. */
  size?: number;
  /** One with the name of a moment that has not come. */
  ahead?: string;
}

/** One that does not answer keeps nobody from those that do. */
const PATIENCE = 8 * SECOND;

/** How old the newest backup of each place is. */
export function backupAges({ to, s3 }: BackupConfig, now: Date, patience = PATIENCE): Promise<BackupAge[]> {
  return Promise.all(
    to.map(async (where) => {
      const limit = new AbortController();
      const late = pause(patience, undefined, { signal: limit.signal, ref: false }).then(() => {
        throw new Error(`It did not answer within ${patience / SECOND} seconds.`);
      });
      late.catch(() => undefined);
      let place: Place | undefined;
      try {
        place = await openPlace(where, s3);
        return { where, ...(await Promise.race([ageIn(place, now), late])) };
      } catch (error) {
        return { where, seconds: null, reason: (error as Error).message };
      } finally {
        limit.abort();
        place?.close();
      }
    }),
  );
}

async function ageIn(place: Place, now: Date): Promise<Omit<BackupAge, 'where'>> {
  const all = await place.list();
  const newest = all.findLast((kept) => isPast(kept, now));
  const [ahead] = all.filter((kept) => !isPast(kept, now));
  return {
    seconds: newest ? Math.max(0, now.getTime() - newest.at.getTime()) / SECOND : Number.POSITIVE_INFINITY,
    ...(newest ? { size: (await place.size(newest.name)) ?? 0 } : {}),
    ...(ahead ? { ahead: ahead.name } : {}),
  };
}

interface Watched {
  backups: BackupConfig;
  clock: Clock;
  log: Logger;
}

const LOOKED_EVERY = MINUTE;
/** Less than a scrape waits for. */
const SCRAPE = 2 * SECOND;

/** Figures for alerts: a schedule that does not run, or a place that nothing arrives at. */
export function backupFigures(metrics: Metrics, watched: Watched): void {
  if (watched.backups.to.length === 0) return;
  const read = agesSeen(watched);
  metrics.measured(
    {
      name: 'tonerow_backup_age_seconds',
      help: 'Age of the newest backup that was seen at each place of TONEROW_BACKUP_TO; infinite where none was',
      labelNames: ['place'],
    },
    async () => (await read()).map(({ where, seconds }) => [{ place: where }, seconds]),
    LOOKED_EVERY,
  );
}

/** The ages of backups. Where a place cannot be looked at, the one that was seen last grows older: a figure that is absent alerts nobody. */
export function agesSeen({ backups, clock, log }: Watched): () => Promise<{ where: string; seconds: number }[]> {
  const seen = new Map<string, number>();
  const away = new Set<string>();
  return async () => {
    const now = clock.now();
    const ages = await backupAges(backups, now, SCRAPE);
    return ages.map(({ where, seconds, reason }) => {
      if (seconds !== null) {
        seen.set(where, now.getTime() - seconds * SECOND);
        if (away.delete(where)) log.info({ place: where }, 'the place of backups can be looked at again');
      } else if (!away.has(where)) {
        away.add(where);
        log.error({ place: where, reason }, 'a place of backups cannot be looked at');
      }
      return { where, seconds: (now.getTime() - (seen.get(where) ?? Number.NEGATIVE_INFINITY)) / SECOND };
    });
  };
}
