import { recordAudit } from '#features/audit';
import type { Principal } from '#platform/access/access.ts';
import { LookupCache } from '#platform/caches/lookup-cache.ts';
import { type Clock, DAY, HOUR, SECOND } from '#platform/clock.ts';
import { AppError, invalidField, notFound, violatedConstraint } from '#platform/errors.ts';
import { jobKind } from '#platform/jobs/job.ts';
import { type Dns, pointsTo } from '#platform/network/dns.ts';
import type { Random } from '#platform/random.ts';
import * as q from './branding.queries.ts';
import { hostName, hostOfHeader, isWithin } from './hosts.ts';
import type { BrandingDb } from './tables.ts';

/** How long a verified host may point elsewhere before it is lost. */
const GRACE = DAY;
/** How often a verified host is rechecked. */
const RECHECK = HOUR;
/** How long a host that does not point to us is rechecked. */
const PATIENCE = 14 * DAY;
const MOST_A_RUN = 1000;
const AT_ONCE = 20;

export const checkDomainsJob = jobKind({
  name: 'check-domains',
  cron: '*/10 * * * *',
  retryLimit: 0,
  retryDelay: 60,
  expireInSeconds: 600,
});

interface Dependencies {
  db: BrandingDb;
  clock: Clock;
  random: Random;
  dns: Dns;
  publicUrl: string;
  /** The target that custom domains have to be an alias of. */
  domainTarget: string;
}

/**
 * Developers' custom domains for the redemption page. A host is verified when DNS shows that it is an alias of our
 * target, for the first developer who checks it then. It is lost when DNS points elsewhere a day after it last pointed
 * to us, but never at the first check since then: neither a slip in a zone nor a day of our own downtime takes a page
 * offline. A DNS that does not respond changes nothing.
 */
export class Domains {
  readonly target: string;
  readonly #deps: Dependencies;
  readonly #ownHost: string;
  readonly #owners: LookupCache<string | null>;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.target = deps.domainTarget;
    this.#ownHost = new URL(deps.publicUrl).hostname;
    this.#owners = new LookupCache({ clock: deps.clock, lifetime: 5 * SECOND });
  }

  /** Assigns a host to the caller, in place of the previous one, and checks its DNS. */
  async set(caller: Principal, text: string) {
    const { db, clock, dns, random } = this.#deps;
    const host = this.#allowed(text);
    const owner = await q.ownerOfHost(db, host);
    if (owner !== null && owner !== caller.accountId) throw unavailable();
    const pointing = await pointsTo(dns, host, this.target);
    const check = this.#check(pointing, clock.now());
    const domain = { id: random.id(), developerId: caller.accountId, host };
    const verified = await db
      .work({ tx: true }, async (tx) => {
        await recordAudit(tx, caller.accountId, { action: 'domain_set', at: clock.now(), detail: host });
        return q.putDomain(tx, domain, check);
      })
      .catch((error: unknown) => {
        // another developer verified it first
        throw isTaken(error) ? unavailable() : error;
      });
    this.#owners.clear();
    return {
      message:
        pointing === 'here'
          ? 'Domain activated successfully!'
          : 'Domain activation failed. Make sure DNS is pointed correctly.',
      domain: host,
      verified,
      registered: true,
    };
  }

  async remove(caller: Principal): Promise<void> {
    const { db, clock } = this.#deps;
    await db.work({ tx: true }, async (tx) => {
      const removed = await q.removeDomain(tx, caller.accountId);
      if (!removed) throw notFound('Custom domain');
      await recordAudit(tx, caller.accountId, { action: 'domain_removed', at: clock.now(), detail: removed.host });
    });
    this.#owners.clear();
  }

  /** The status of the caller's own host; nothing about other accounts' hosts. */
  async status(caller: Principal, text: string): Promise<{ verified: boolean; registered: boolean }> {
    const host = hostName(text);
    if (!host) throw invalidField('domain', 'Invalid domain format.');
    const row = await q.findDomain(this.#deps.db, caller.accountId, host);
    return { verified: row !== undefined && row.verified_at !== null, registered: row !== undefined };
  }

  /** The developer whose page a request is for, by its Host header; null for our own host and for unknown ones. */
  developerOf = async (header: string): Promise<string | null> => {
    const host = hostOfHeader(header);
    if (!host || host === this.#ownHost) return null;
    return (await this.#owners.get(host, () => q.ownerOfHost(this.#deps.db, host))) ?? null;
  };

  /** Whether a proxy may get a certificate for a host. */
  async mayHaveCertificate(domain: string): Promise<boolean> {
    const host = hostName(domain);
    return host !== null && (await q.ownerOfHost(this.#deps.db, host)) !== null;
  }

  /** Rechecks the DNS of all hosts that are due. */
  async checkAll(): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock.now().getTime();
    const due = await q.dueDomains(db, {
      checkedBefore: new Date(now - RECHECK),
      waitingSince: new Date(now - PATIENCE),
      most: MOST_A_RUN,
    });
    const waiting = due.values();
    const work = async () => {
      for (const domain of waiting) await this.#recheck(domain);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    this.#owners.clear();
  }

  async #recheck(domain: q.DueDomain): Promise<void> {
    const { db, clock, dns } = this.#deps;
    const pointing = await pointsTo(dns, domain.host, this.target);
    try {
      await q.noteCheck(db, domain, this.#check(pointing, clock.now()));
    } catch (error) {
      if (!isTaken(error)) throw error;
      // it points here, but has become another developer's
      await q.noteCheck(db, domain, this.#check('unknown', clock.now()));
    }
  }

  #check(pointing: q.Check['pointing'], now: Date): q.Check {
    return { pointing, now, cutoff: new Date(now.getTime() - GRACE) };
  }

  #allowed(text: string): string {
    const host = hostName(text);
    if (!host) throw invalidField('domain', 'Invalid domain format.');
    // nor below our own: a wildcard in our own zone would verify them for anybody
    if (isWithin(host, this.#ownHost) || isWithin(host, this.target)) {
      throw invalidField('domain', 'This is Tonerow’s own host. Use a host of your own.');
    }
    return host;
  }
}

function isTaken(error: unknown): boolean {
  return violatedConstraint(error) === 'custom_domains_host_unique';
}

function unavailable(): AppError {
  return new AppError('conflict', 'This domain cannot be used. Contact us if it is yours.');
}
