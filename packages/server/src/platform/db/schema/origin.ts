/**
 * The version of the server that ran migrations that this build does not have: a `newer` one, which also has all of
 * ours; an `older` one, whose migrations are no longer among ours; or one of `another` line, where neither is known.
 */
export type Origin = 'newer' | 'older' | 'another';

/** Names begin with the moment at which they were made, so the newest one is as old as the version that ran it, or younger. */
export function originOf(ran: readonly string[], known: readonly string[]): Origin {
  const missing = known.filter((name) => !ran.includes(name));
  if (missing.length === 0) return 'newer';
  if (newest(ran) < newest(known)) return 'older';
  // a newer version may have replaced all of ours by others
  return missing.length === known.length ? 'newer' : 'another';
}

const newest = (names: readonly string[]): string => names.toSorted().at(-1) ?? '';

interface Differences {
  /** Ran there, and this build does not have them. */
  unknown: readonly string[];
  /** This build has them, and they did not run there. */
  pending: readonly string[];
}

/** Why this build does not start on such a database, and what to do. */
export function refusalOf(origin: Origin, { unknown, pending }: Differences): string {
  const ran = `${listed(unknown)} ran there, and this version does not have ${unknown.length === 1 ? 'that migration' : 'those migrations'}`;
  if (origin === 'newer')
    return `The database belongs to a newer version of the server: ${ran}. Start the newer version, or restore the backup that was made before the upgrade.`;
  if (origin === 'older')
    return `The database is from an older version of the server, from which this version cannot upgrade it: ${ran}. The newest of them is of ${dayOf(unknown)}. Start the version that ran them. To upgrade, start versions in between that have them.`;
  return `The database belongs to another version of the server, neither older nor newer than this one: ${ran}, while ${listed(pending)} did not run. Start the version that ran them, or one that has all of these migrations.`;
}

/** The same of a backup. */
export function backupRefusalOf(origin: Origin, { unknown, pending }: Differences): string {
  if (origin === 'newer') return 'A newer version of the server made this backup. Restore it with that one.';
  if (origin === 'older')
    return `An older version of the server made this backup, from which this version cannot upgrade: it does not have ${listed(unknown)}, the newest of ${dayOf(unknown)}. Restore it with the version that made it.`;
  return `Another version of the server made this backup, neither older nor newer than this one: ${listed(unknown)} ran there, and ${listed(pending)} did not. Restore it with that one.`;
}

const SHOWN = 3;

function listed(names: readonly string[]): string {
  const more = names.length - SHOWN;
  return more > 0 ? `${names.slice(0, SHOWN).join(', ')} and ${more} more` : names.join(', ');
}

/** `2026-11-21`, from the name of the newest. */
function dayOf(names: readonly string[]): string {
  return /^Migration(\d{4})(\d{2})(\d{2})/.exec(newest(names))?.slice(1).join('-') ?? 'an unknown day';
}
