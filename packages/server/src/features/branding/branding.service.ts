import { setLook } from '#features/accounts';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { AppError, notFound } from '#platform/errors.ts';
import { withScheme } from '#platform/network/web-address.ts';
import { findBranding } from './branding.queries.ts';
import {
  type BrandingChanges,
  type BrandingView,
  DEFAULT_BRAND_COLOR,
  type PrivateBrandingView,
} from './branding.schemas.ts';
import type { Domains } from './domains.service.ts';
import type { BrandingDb } from './tables.ts';

interface Dependencies {
  db: BrandingDb;
  clock: Clock;
  domains: Domains;
  publicUrl: string;
}

/** The look of a developer's redemption page, and its support contact. */
export class Branding {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** The branding, which anybody may see. */
  async of(developerId: string): Promise<BrandingView> {
    const row = await findBranding(this.#deps.db, developerId);
    if (!row) throw notFound('Developer');
    return {
      user_id: row.user_id,
      company_name: row.company_name,
      logo_url: row.logo_url,
      brand_color: row.brand_color,
      dark_mode: row.dark_mode,
      support_email: row.support_email,
      support_url: row.support_url && withScheme(row.support_url),
      closed: row.closed,
      unlocked: row.unlocked,
    };
  }

  /** The same, by the developer's own domain. */
  async ofHost(host: string): Promise<BrandingView> {
    const developerId = await this.#deps.domains.developerOf(host);
    if (!developerId) throw new AppError('not_found', "We couldn't load branding for this domain.");
    return this.of(developerId);
  }

  async private(caller: Principal): Promise<PrivateBrandingView> {
    const { db, domains, publicUrl } = this.#deps;
    const row = await findBranding(db, caller.accountId);
    if (!row) throw notFound('Developer');
    const { company_name: _, closed: _open, unlocked: _listed, domain_verified: verified, ...shown } = row;
    return {
      ...shown,
      support_url: row.support_url && withScheme(row.support_url),
      domain_status: verified ? 'verified' : row.custom_domain ? 'registered' : 'not_registered',
      dns_target: domains.target,
      redeem_url: `${publicUrl}/redeem?dev=${row.user_id}`,
    };
  }

  /** Omitted fields stay unchanged. */
  async update(caller: Principal, changes: BrandingChanges): Promise<PrivateBrandingView> {
    await this.#deps.db.work({ tx: true }, (tx) => setLook(tx, caller.accountId, changes, this.#deps.clock.now()));
    return this.private(caller);
  }

  /** Resets the look and the contact to the defaults; emails and the domain stay as they are. */
  reset(caller: Principal): Promise<PrivateBrandingView> {
    return this.update(caller, {
      logo_url: null,
      brand_color: DEFAULT_BRAND_COLOR,
      dark_mode: false,
      support_email: null,
      support_url: null,
    });
  }
}
