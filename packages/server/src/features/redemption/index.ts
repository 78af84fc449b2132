import type { DownloadPages } from '#features/branding';
import { type Customers, DownloadProofs } from '#features/customers';
import type { QuotaEmails } from '#features/plans';
import type { Sql } from '#platform/db/database.ts';
import type { Base } from '#platform/feature.ts';
import { onLane } from '#platform/http/route-lane.ts';
import { jobWorker } from '#platform/jobs/job.ts';
import { downloadRoutes } from './downloads/downloads.routes.ts';
import { Downloads, type FileLinks } from './downloads/downloads.ts';
import { ProductCards } from './downloads/product-cards.ts';
import { helpRoutes } from './help-requests/help-requests.routes.ts';
import { type HelpEmails, HelpRequests } from './help-requests/help-requests.ts';
import { LedgerPlaces } from './ledger/ledger-places.ts';
import { PartnerCalendars, recountDaysJob } from './ledger/partnership-calendars.ts';
import { rebuildSums } from './ledger/recount.ts';
import { myProductRoutes } from './my-products/my-products.routes.ts';
import { MyProducts, type MyProductsEmails, myProductsJob } from './my-products/my-products.service.ts';
import { redeemRoutes } from './redeem/redeem.routes.ts';
import { RedemptionEvent } from './redeem/redeem.schemas.ts';
import { Redemptions } from './redeem/redeem.service.ts';
import type { RedemptionEmails } from './redeem/redeem-serial.ts';
import { SaleEvent } from './redeem/sale-event.ts';
import { eraseTickets } from './redeem/tickets.ts';
import { refundRoutes } from './refunds/refunds.routes.ts';
import { RefundEvent } from './refunds/refunds.schemas.ts';
import { Refunds } from './refunds/refunds.service.ts';
import { resendRoutes } from './resend/resend.routes.ts';
import { type ResendEmail, Resending } from './resend/resend.ts';
import { tables } from './tables.ts';
import { transferRoutes } from './transfers/transfers.routes.ts';
import { type TransferEmails, Transfers } from './transfers/transfers.ts';

export { NO_PARTNERSHIP } from './ledger/ledger.entity.ts';
export { broughtBy, recordAll, removeImported } from './ledger/ledger.ts';
export { limits } from './limits.ts';
export { MyMachine } from './my-products/my-products.schemas.ts';
export type { MyProducts } from './my-products/my-products.service.ts';
export type { Redemptions } from './redeem/redeem.service.ts';
export type { RefusedRedemption } from './redeem/refused-redemptions.ts';
export type { Refunds } from './refunds/refunds.service.ts';

interface Needs {
  customers: Customers;
  files: FileLinks;
  emails: RedemptionEmails & MyProductsEmails & ResendEmail & HelpEmails & TransferEmails;
  downloadPages: DownloadPages;
  quotaEmails: QuotaEmails;
  domains: {
    /** The developer whose custom domain is in a Host header, or null. */
    developerOf(host: string): Promise<string | null>;
  };
}

export const redemption = {
  entities: tables.entities,
  events: [RedemptionEvent, RefundEvent, SaleEvent] as const,

  create(platform: Base, { customers, files, emails, downloadPages, quotaEmails, domains }: Needs) {
    const base = { ...platform, db: tables.of(platform.db) };
    const partnerCalendars = new PartnerCalendars(base);
    const ledgerPlaces = new LedgerPlaces(base);
    const recountSoon = (sql: Sql, resellerId: string) => partnerCalendars.recountSoon(sql, resellerId);
    const developerOf = (host: string) => domains.developerOf(host);
    const proofs = new DownloadProofs(base);
    const downloads = new Downloads({ ...base, fileLinks: files });
    const cards = new ProductCards({ ...base, customers, downloads });
    const redemptions = new Redemptions({ ...base, customers, cards, emails, quotaEmails });
    const refunds = new Refunds({ ...base, onLowStock: (...low) => emails.lowStock(...low) });
    const myProducts = new MyProducts({ ...base, cards, customers, emails, developerOf });
    return {
      api: { redemptions, myProducts, downloadProofs: proofs, ledger: { rebuildSums, recountSoon }, refunds },
      // calls that customers depend on have database connections of their own
      routes: [
        onLane(
          'licensing',
          redeemRoutes(redemptions, base.countryOf, developerOf),
          downloadRoutes(cards, downloads, downloadPages),
          myProductRoutes(myProducts),
          helpRoutes(new HelpRequests({ ...base, emails })),
        ),
        refundRoutes(refunds),
        resendRoutes(new Resending({ ...base, emails, proofs })),
        transferRoutes(new Transfers({ ...base, customers, emails, proofs })),
      ],
      jobs: [
        jobWorker(myProductsJob, (wish) => myProducts.sendLink(wish)),
        jobWorker(recountDaysJob, ({ resellerId }) => partnerCalendars.recount(resellerId)),
      ],
      housekeeping: [
        () => redemptions.expireTickets(),
        () => partnerCalendars.recount(null),
        () => ledgerPlaces.count(),
      ],
      erase: eraseTickets,
    };
  },
};
