import type { EmailSwitches } from '#features/emails';
import type { Principal } from '#platform/access/access.ts';
import type { Sql } from '#platform/db/database.ts';
import type { KeyedEmailQueue } from '#platform/email/mailer.ts';
import type { Base } from '#platform/feature.ts';
import { jobWorker } from '#platform/jobs/job.ts';
import { PartnerDevelopers } from './developers.service.ts';
import { endAllOf } from './end-all.ts';
import { InviteEmails, inviteEmailJob, inviteLinks } from './invites/invite-emails.service.ts';
import { inviteRoutes } from './invites/invites.routes.ts';
import { InvitesEvent } from './invites/invites.schemas.ts';
import { ReceivedInvites } from './invites/received-invites.service.ts';
import { SentInvites } from './invites/sent-invites.service.ts';
import { StockMoves } from './merge.ts';
import { partnerRoutes, resellerRoutes } from './partnerships.routes.ts';
import { PartnershipsEvent } from './partnerships.schemas.ts';
import { Partnerships } from './partnerships.service.ts';
import { Resellers } from './resellers.service.ts';
import { tables } from './tables.ts';

export { familyIds, familyIn, inScope, type TenantScope } from './family.ts';
export { deleteImportedResellers } from './imported-resellers.ts';
export type { Moved, StockMove, StockMoves } from './merge.ts';
export { Partnership } from './partnerships.entity.ts';
export type { Partnerships } from './partnerships.service.ts';
export { developersOf } from './reseller-developers.ts';

interface Needs {
  emailQueue: KeyedEmailQueue;
  emailSwitches: EmailSwitches;
}

export const partnerships = {
  entities: tables.entities,
  events: [InvitesEvent, PartnershipsEvent] as const,

  create(platform: Base, { emailQueue, emailSwitches }: Needs) {
    const base = { ...platform, db: tables.of(platform.db) };
    const partnerships = new Partnerships(base);
    const links = inviteLinks(base.secrets, base.clock);
    const inviteEmails = new InviteEmails({ ...base, emailQueue, emailSwitches, links });
    const stock = new StockMoves();
    const services = { ...base, inviteEmails, links, stock };
    const invites = new SentInvites(services);
    const received = new ReceivedInvites(services);
    const onDelete = { ...base, emailQueue };
    return {
      api: {
        partnerships,
        partnershipStock: stock,
        invites,
        pendingInvites: (caller: Principal) => received.count(caller),
        partnershipEnds: { allOf: (sql: Sql, accountId: string) => endAllOf(sql, onDelete, accountId) },
      },
      routes: [
        resellerRoutes(new Resellers({ ...base, emailQueue, emailSwitches, stock })),
        partnerRoutes(new PartnerDevelopers(base)),
        inviteRoutes(invites, received),
      ],
      jobs: [jobWorker(inviteEmailJob, (email) => inviteEmails.run(email))],
      housekeeping: [() => invites.expire()],
    };
  },
};
