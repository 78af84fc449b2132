import { lookup } from 'node:dns/promises';
import { statfs } from 'node:fs/promises';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Clock } from '#platform/clock.ts';
import { verifySmtp } from '#platform/email/mailer.ts';
import { type Dns, pointsTo } from '#platform/network/dns.ts';
import { HOW_TO_UPGRADE, isNewer, newestRelease } from '#platform/operations/new-releases.ts';
import type { Random } from '#platform/random.ts';
import type { Storage } from '#platform/storage/storage.ts';
import { VERSION } from '#platform/version.ts';
import type { Config } from '../config.ts';
import { certificateOf } from './certificates.ts';
import { type Found, failed, inBytes, MB, NO_TLS, ok, skipped, warning, wordsOf } from './finding.ts';

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

/** The disk of the data folder. */
export async function disk(folder: string, space: typeof statfs = statfs): Promise<Found> {
  const { bavail, bsize, files, ffree } = await space(folder);
  const free = bavail * bsize;
  const todo = 'Delete what is not needed, or give the disk more space.';
  if (files > 0 && ffree < files / 100) return warning(`The disk of ${folder} has room for ${ffree} more files.`, todo);
  const found = `The disk of ${folder} has ${inBytes(free)} free.`;
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
    return failed(`The mail server ${host} cannot be used: ${wordsOf(error)}`, emailAdvice(error));
  }
  if (/@localhost\b/.test(emailFrom))
    return warning(`Emails come from ${emailFrom}, which mail servers refuse.`, 'Set TONEROW_EMAIL_FROM.');
  return ok(`The mail server ${host} lets this server in.`);
}

const ADVICE_BY_CODE: Record<string, string> = {
  EAUTH: 'Check user and password in SMTP_URL; special characters in them are written as %40 and the like.',
  ETLS: 'Check the certificate of the mail server, and that SMTP_URL has its name.',
  ESOCKET: 'Check host and port in SMTP_URL, and that this machine may connect there; port 25 is often closed.',
};
function emailAdvice(error: unknown): string {
  if (NO_TLS.test(String(error)))
    return 'smtps:// is for port 465 alone. Write smtp:// in SMTP_URL for the others; TLS begins later there.';
  const { code = '' } = error as { code?: string };
  return ADVICE_BY_CODE[code] ?? (ADVICE_BY_CODE.ESOCKET as string);
}

/** Whether a server runs on this machine, and what it warns about itself. */
export async function server({ host, port }: Config): Promise<Found[]> {
  const local = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const url = `http://${local.includes(':') ? `[${local}]` : local}:${port}`;
  const answer = await fetched(`${url}/readyz`).catch(() => null);
  if (!answer)
    return [failed(`No server answers at ${url}.`, 'Start it, or run this beside it with the same settings.')];
  const readiness = await readinessIn(answer);
  if (!readiness) return [failed(`${url} leads to something that is not Tonerow.`, 'Check PORT and TONEROW_HOST.')];
  return judgeReadiness(answer.status, readiness, url);
}

interface Readiness {
  status: string;
  reason?: string;
  warnings?: string[];
}

/** Null when it is the answer of somebody else. */
async function readinessIn(answer: Response): Promise<Readiness | null> {
  const body = (await answer.json().catch(() => null)) as Partial<Readiness> | null;
  return body?.status === 'ready' || body?.status === 'not ready' ? { ...body, status: body.status } : null;
}

/** What to do about each warning of `/readyz`. */
const ADVICE: Record<string, string> = {
  disk_full: 'Delete what is not needed, or give the disk of TONEROW_DATA_DIR more space.',
  disk_low: 'Delete what is not needed, or give the disk of TONEROW_DATA_DIR more space.',
  storage_unreachable: 'See the finding about storage; uploads and downloads fail until then.',
  email_unreachable: 'See the finding about email; emails wait until then.',
  payments_locked_out: 'Set a STRIPE_SECRET_KEY that Stripe accepts, with all permissions, and restart.',
  collection_on_hold:
    'Nothing is charged since the database was set back. Run: tonerow-server reconcile, then: tonerow-server collection release',
  database_worker_gone: 'Start that machine of the cluster again, or its standby. See docs/scaling.md.',
};

export function judgeReadiness(status: number, { reason, warnings = [] }: Readiness, url: string): Found[] {
  const found = warnings.map((name) =>
    warning(`The server warns of ${name}.`, ADVICE[name] ?? 'See “Monitoring” in docs/operations.md, and its log.'),
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
  // clients get no further without a good certificate
  if (found.some(({ state }) => state === 'failed')) return found;
  const answer = await fetched(`${publicUrl}/readyz`).catch((error: Error) => error);
  if (answer instanceof Error) found.push(failed(`${publicUrl} cannot be reached: ${wordsOf(answer)}`, todo));
  else
    found.push(
      (await readinessIn(answer))
        ? ok(`${publicUrl} leads to a server.`)
        : failed(`${publicUrl} leads to something that is not Tonerow.`, todo),
    );
  return found;
}

/** Whether the proxy answers that everything to webhooks goes through. */
export function egressProxy(proxy: string): Promise<Found> {
  const { hostname, port } = new URL(proxy);
  const todo = 'Start it, or correct TONEROW_EGRESS_PROXY; no webhook gets out until then.';
  return new Promise((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80), timeout: TIMEOUT });
    const end = (found: Found) => {
      socket.destroy();
      resolve(found);
    };
    socket.once('connect', () => end(ok(`The proxy ${proxy} takes connections.`)));
    socket.once('timeout', () => end(failed(`The proxy ${proxy} does not answer.`, todo)));
    socket.once('error', (error) => end(failed(`The proxy ${proxy} cannot be reached: ${wordsOf(error)}`, todo)));
  });
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

/** Whether there is a newer release, where somebody announces it. */
export async function update({ releaseFeed }: Config): Promise<Found> {
  if (!releaseFeed) return skipped('TONEROW_RELEASE_FEED is not set, so nobody looks for newer releases.');
  let newest: string | null;
  try {
    newest = await newestRelease(releaseFeed);
  } catch (error) {
    return warning(`${releaseFeed} does not announce releases: ${wordsOf(error)}`, 'Check TONEROW_RELEASE_FEED.');
  }
  if (!newest) return warning(`${releaseFeed} names no release.`, 'Check TONEROW_RELEASE_FEED.');
  if (isNewer(newest, VERSION))
    return warning(`Version ${newest} is available, and this is ${VERSION}.`, HOW_TO_UPGRADE);
  return ok(`Version ${VERSION} is the newest.`);
}
