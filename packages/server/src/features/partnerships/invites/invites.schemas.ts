import { z } from 'zod';
import { COUNTED_PAGE, Cursor, Id, Limit, Time } from '#platform/http/schemas.ts';
import { Email } from '#platform/text/email-address.ts';
import { Rate } from '../partnerships.schemas.ts';

const MOST_ADDRESSES = 20;

const InviteText = z
  .string()
  .trim()
  .max(1000)
  .nullish()
  .transform((text) => text?.replace(/\r\n?/g, '\n') || null)
  .describe(
    'A personal message, plain text: on the invitation’s page, and in the email to an address with a verified account.',
  );

export const InviteResellersBody = z
  .strictObject({
    email: Email.optional(),
    emails: z
      .array(Email)
      .min(1, 'Enter at least one email address.')
      .max(MOST_ADDRESSES, `Invite at most ${MOST_ADDRESSES} addresses at a time.`)
      .optional()
      .describe(`Several addresses, at most ${MOST_ADDRESSES}, instead of \`email\`.`),
    message: InviteText,
    commission_rate: Rate.nullish().describe('The commission in percent, with at most two decimals. Default: 20.'),
    partnership_id: Id.nullish().describe(
      'The named reseller that the invited account takes over, with its batches, serials and ledger.',
    ),
  })
  .refine((body) => (body.email === undefined) !== (body.emails === undefined), {
    path: ['email'],
    message: 'Enter an email address.',
  })
  .refine((body) => !body.partnership_id || (body.emails?.length ?? 1) === 1, {
    path: ['partnership_id'],
    message: 'Only one address can take over a reseller.',
  })
  .meta({ id: 'InviteResellers' });

export const InviteDeveloperBody = z
  .strictObject({ email: Email, message: InviteText })
  .meta({ id: 'InviteDeveloper' });

export const RespondBody = z
  .strictObject({ invite_id: Id, response: z.enum(['accept', 'reject']) })
  .meta({ id: 'RespondToInvite' });
export const FollowBody = z.strictObject({ token: z.string().min(1).max(2000) }).meta({ id: 'FollowInvite' });

const State = z.enum(['pending', 'accepted', 'rejected', 'withdrawn', 'expired']);
export type InviteState = z.output<typeof State>;

const received = {
  id: Id,
  company_name: z.string(),
  email: z.string(),
  logo_url: z.string().nullable(),
  website_url: z.string().nullable(),
  message: z.string().nullable(),
  commission_rate: z.number(),
  created_at: Time,
  expires_at: Time,
};
export const ReceivedInvite = z.object(received).meta({ id: 'ReceivedInvite' });
export type ReceivedInvite = z.output<typeof ReceivedInvite>;
export const FollowedInvite = z.object({ ...received, state: State }).meta({ id: 'FollowedInvite' });
export type FollowedInvite = z.output<typeof FollowedInvite>;

export const InvitePreview = z
  .object({
    role: z.enum(['developer', 'reseller']).describe('The role that the invited account must have.'),
    company_name: z.string(),
    email: z.string().describe('Of the account that invites.'),
    logo_url: z.string().nullable(),
    website_url: z.string().nullable(),
    commission_rate: z.number(),
    created_at: Time,
    expires_at: Time,
    state: State,
    products: z
      .array(
        z.object({
          name: z.string(),
          image_url: z.string().nullable(),
          price: z.number().nullable(),
          sale_price: z.number().nullable(),
        }),
      )
      .describe('What a developer invites a reseller to sell: the newest 12, no drafts. Empty unless it is pending.'),
    products_total: z.int().describe('All of them.'),
  })
  .meta({ id: 'InvitePreview' });
export type InvitePreview = z.output<typeof InvitePreview>;

export const SentInvite = z
  .object({
    id: Id,
    email: z.string(),
    state: State,
    message: z.string().nullable(),
    commission_rate: z.number(),
    partnership_id: Id.nullable(),
    reseller_name: z.string().nullable(),
    created_at: Time,
    sent_at: Time,
    resend_after: Time.nullable().describe('When it can be sent again; null: it is not pending.'),
    expires_at: Time,
    answered_at: Time.nullable(),
  })
  .meta({ id: 'SentInvite' });
export type SentInvite = z.output<typeof SentInvite>;

export const InvitesSent = z
  .object({
    message: z.string(),
    invites: z.array(SentInvite),
    skipped: z
      .array(z.object({ email: z.string(), message: z.string() }))
      .describe('Addresses that were not invited, and why.'),
  })
  .meta({ id: 'InvitesSent' });
export type InvitesSent = z.output<typeof InvitesSent>;

export const InviteAnswered = z
  .object({ message: z.string(), state: State, partnership_id: Id.nullable() })
  .meta({ id: 'InviteAnswered' });
export type InviteAnswered = z.output<typeof InviteAnswered>;

export const ReceivedInviteQuery = z.object(COUNTED_PAGE);
export type ReceivedInviteQuery = z.output<typeof ReceivedInviteQuery>;

export const SentInviteQuery = z.object({
  state: State.optional().describe('Only invitations in this state.'),
  cursor: Cursor,
  limit: Limit,
});
export type SentInviteQuery = z.output<typeof SentInviteQuery>;
export const SentInvitePage = z
  .object({ rows: z.array(SentInvite), next_cursor: z.string().nullable() })
  .meta({ id: 'SentInvitePage' });

/** The invitations that wait for the account's answer, or those it sent, have changed. */
export const InvitesEvent = z.object({
  type: z.literal('invites'),
  data: z.object({ pending: z.int().describe('How many invitations wait for an answer of this account.') }),
});
export type InvitesEvent = z.output<typeof InvitesEvent>;
