import { lookup } from 'node:dns/promises';
import { statfs } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Clock } from '#platform/clock.ts';
import { verifySmtp } from '#platform/email/mailer.ts';
import { type Dns, pointsTo } from '#platform/network/dns.ts';
import { HOW_TO_UPGRADE, isNewer, newestRelease } from '#platform/operations/new-releases.ts';
import type { Random } from '#platform/random.ts';
import type { Storage } from '#platform/storage/storage.ts';
import { VERSION } from '#platform/version.ts';
import { backupAges } from '../backup/backup-age.ts';
import type { Config } from '../config.ts';
import { certificateOf } from './certificates.ts';
import { judgeClock } from './database-checks.ts';
import { type Found, failed, ok, skipped, warning, wordsOf } from './finding.ts';

const MB = 1024 * 1024;
const GB = 1024 * MB;
const HOUR = 3600;
const TIMEOUT = 5000;

const fetched = (url: string) => fetch(url, { signal: AbortSignal.timeout(TIMEOUT), redirect: 'manual' });

export function settings(config: Config): Found[] {
  const found = config.complaints.map((complaint) => warning(complaint, 'Correct its name, or remove it.'));
  const { protocol, hostname } = new URL(config.publicUrl);
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  if (protocol === 'http:' && !isLocal)
    found.push(
      warning(`TONEROW_PUBLIC_URL is ${config.publicUrl}, without HTTPS.`, 'Put a proxy with HTTPS before the server.'),
    );
  if (protocol === 'https:' && !config.trustProxy)
    found.push(
      warning(
        'There is HTTPS, so there is a proxy, but TONEROW_TRUST_PROXY names none: all customers count as one address.',
        'Set TONEROW_TRUST_PROXY to the network of the proxy.',
      ),
    );
  if (!config.rateLimits)
    found.push(warning('TONEROW_RATE_LIMITS is off: anybody may guess passwords and codes.', 'Set it to on.'));
  return found.length > 0 ? found : [ok('Every setting is known.')];
}

/** Of the data folder. */
export async function disk(folder: string, space: typeof statfs = statfs): Promise<Found> {
  const { bavail, bsize, files, ffree } = await space(folder);
  const free = bavail * bsize;
  const size = free >= GB ? `${(free / GB).toFixed(1)} GB` : `${Math.floor(free / MB)} MB`;
  const todo = 'Delete what is not needed, or give the disk more space.';
  if (files > 0 && ffree < files / 100) return warning(`The disk of ${folder} has room for ${ffree} more files.`, todo);
  const found = `The disk of ${folder} has ${size} free.`;
  if (free < 64 * MB) return failed(found, todo);
  return free < 512 * MB ? warning(found, todo) : ok(found);
}

/** Writes an object, reads it and deletes it. */
export async function storageWorks(storage: Storage, random: Random, where: string): Promise<Found> {
  const key = `doctor/${random.id()}.txt`;
  const content = `Tonerow ${key}`;
  await storage.put(key, Buffer.from(content), 'text/plain');
  try {
    const kept = await storage.get(key);
    if (!kept || (await text(kept.stream)) !== content)
      return failed(
        `${where} does not return what was written to it.`,
        'Check what S3_ENDPOINT and S3_BUCKET lead to.',
      );
  } finally {
    await storage.delete(key);
  }
  return ok(`${where} takes files, returns them and deletes them.`);
}

/** What signs requests by the time is refused with a wrong one. */
export async function storageClock(endpoint: string, clock: Clock): Promise<Found> {
  const before = clock.now().getTime();
  const answer = await fetch(endpoint, { method: 'HEAD', signal: AbortSignal.timeout(TIMEOUT), redirect: 'manual' });
  const date = Date.parse(answer.headers.get('date') ?? '');
  if (Number.isNaN(date)) return skipped('The object storage does not show its time.');
  // it has no parts of a second
  return judgeClock(date, { before: before - 1000, after: clock.now().getTime() }, 'the object storage');
}

/** Signs in at the mail server, and sends nothing. */
export async function email({ smtpUrl, emailFrom }: Config): Promise<Found> {
  if (!smtpUrl)
    return warning(
      'SMTP_URL is not set: emails become files in the folder outbox, and nobody gets one.',
      'Set SMTP_URL and TONEROW_EMAIL_FROM.',
    );
  const { host } = new URL(smtpUrl);
  try {
    await verifySmtp(smtpUrl);
  } catch (error) {
    return failed(
      `The mail server ${host} cannot be used: ${wordsOf(error)}`,
      'Check SMTP_URL: host, port, user and password.',
    );
  }
  if (/@localhost\b/.test(emailFrom))
    return warning(`Emails come from ${emailFrom}, which mail servers refuse.`, 'Set TONEROW_EMAIL_FROM.');
  return ok(`The mail server ${host} lets this server in.`);
}

/** Whether a server runs on this machine, and what it warns about itself. */
export async function server({ host, port }: Config): Promise<Found[]> {
  const local = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const url = `http://${local.includes(':') ? `[${local}]` : local}:${port}`;
  const answer = await fetched(`${url}/readyz`).catch(() => null);
  if (!answer)
    return [failed(`No server answers at ${url}.`, 'Start it, or run this beside it with the same settings.')];
  return judgeReadiness(answer.status, (await answer.json()) as Readiness, url);
}

interface Readiness {
  status: string;
  reason?: string;
  warnings?: string[];
}

export function judgeReadiness(status: number, { reason, warnings = [] }: Readiness, url: string): Found[] {
  const found = warnings.map((name) =>
    warning(`The server warns of ${name}.`, 'See “Monitoring” in docs/operations.md, and its log.'),
  );
  if (status !== 200)
    found.push(failed(`The server at ${url} is not ready: ${reason ?? `it answers ${status}`}.`, 'See its log.'));
  return found.length > 0 ? found : [ok(`The server at ${url} is ready.`)];
}

/** Whether people reach the server by its public address. */
export async function address({ publicUrl }: Config, clock: Clock): Promise<Found[]> {
  const { protocol, hostname, port } = new URL(publicUrl);
  const todo = 'Check TONEROW_PUBLIC_URL, the DNS of its host, and the proxy.';
  try {
    await lookup(hostname.replace(/^\[|\]$/g, ''));
  } catch (error) {
    return [failed(`DNS does not know ${hostname}: ${wordsOf(error)}`, todo)];
  }
  const found: Found[] = [];
  if (protocol === 'https:') found.push(await certificateOf({ host: hostname, port: Number(port || 443), clock }));
  const answer = await fetched(`${publicUrl}/readyz`).catch((error: Error) => error);
  if (answer instanceof Error) found.push(failed(`${publicUrl} cannot be reached: ${wordsOf(answer)}`, todo));
  else {
    const { status } = await answer.json().then(
      (body) => (body ?? {}) as Partial<Readiness>,
      (): Partial<Readiness> => ({}),
    );
    found.push(
      status === 'ready' || status === 'not ready'
        ? ok(`${publicUrl} leads to a server.`)
        : failed(`${publicUrl} leads to something that is not Tonerow.`, todo),
    );
  }
  return found;
}

const MOST_DOMAINS = 50;
const AT_ONCE = 5;

interface DomainsAsked {
  hosts: readonly string[];
  total: number;
  target: string;
  dns: Dns;
  clock: Clock;
  /** Whether they should have certificates. */
  secure: boolean;
}

/** Developers' own domains: whether DNS leads here, and whether they have certificates. */
export async function domains({ hosts, total, target, dns, clock, secure }: DomainsAsked): Promise<Found[]> {
  if (hosts.length === 0) return [skipped('No developer has a domain of their own.')];
  const found: Found[] = [];
  const waiting = hosts.values();
  const work = async () => {
    for (const host of waiting) found.push(...(await domain(host, { target, dns, clock, secure })));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const troubled = found.filter(({ state }) => state !== 'ok');
  const looked =
    total > hosts.length ? `${hosts.length} of ${total} domains were looked at` : `${hosts.length} domains`;
  return troubled.length > 0
    ? troubled
    : [ok(`${looked}: DNS leads here${secure ? ', and their certificates are valid' : ''}.`)];
}

export const mostDomains = MOST_DOMAINS;

async function domain(host: string, asked: Omit<DomainsAsked, 'hosts' | 'total'>): Promise<Found[]> {
  const pointing = await pointsTo(asked.dns, host, asked.target);
  if (pointing === 'unknown')
    return [warning(`DNS does not answer for ${host}.`, 'Check the DNS servers of this machine.')];
  if (pointing === 'elsewhere')
    return [
      warning(
        `${host} is no longer an alias of ${asked.target}.`,
        'Its developer has to point it here again; a day later the server lets go of it.',
      ),
    ];
  return asked.secure ? [await certificateOf({ host, clock: asked.clock })] : [ok(`${host} leads here.`)];
}

/** How old a backup may be: a night that was missed, and half of the next day. */
const OLD = 36 * HOUR;

export async function backups({ backups }: Config, clock: Clock): Promise<Found[]> {
  if (backups.to.length === 0)
    return [
      warning(
        'TONEROW_BACKUP_TO is not set, so nobody knows whether there are backups.',
        'Set it to where they are, and let them be made: tonerow-server backup --schedule "0 3 * * *" --keep 14',
      ),
    ];
  const ages = await backupAges(backups, clock.now());
  const found = ages.map(({ where, seconds, reason }): Found => {
    const todo = 'See the log of: tonerow-server backup --schedule';
    if (seconds === null)
      return failed(`${where} cannot be looked at: ${reason}.`, 'Check TONEROW_BACKUP_TO and its keys.');
    if (seconds === Number.POSITIVE_INFINITY) return failed(`${where} has no backup.`, todo);
    const age = `The newest backup in ${where} is ${Math.max(0, Math.round(seconds / HOUR))} hours old.`;
    return seconds > OLD ? failed(age, todo) : ok(age);
  });
  const all = backups.to.every((where) => !where.startsWith('s3://'));
  if (all)
    found.push(
      warning(
        'All backups are on disks of this machine or its network.',
        'Add a bucket elsewhere to TONEROW_BACKUP_TO.',
      ),
    );
  return found;
}

/** Whether there is a newer release, where somebody announces it. */
export async function update({ releaseFeed }: Config): Promise<Found> {
  if (!releaseFeed) return skipped('TONEROW_RELEASE_FEED is not set, so nobody looks for newer releases.');
  const newest = await newestRelease(releaseFeed);
  if (!newest) return warning(`${releaseFeed} names no release.`, 'Check TONEROW_RELEASE_FEED.');
  if (isNewer(newest, VERSION))
    return warning(`Version ${newest} is available, and this is ${VERSION}.`, HOW_TO_UPGRADE);
  return ok(`Version ${VERSION} is the newest.`);
}
