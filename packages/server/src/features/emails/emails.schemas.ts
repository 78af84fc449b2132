import { z } from 'zod';
import { brandLook } from '#features/branding';
import { dataOf } from '#platform/access/withhold.ts';
import { Cursor, Id, Limit, Time } from '#platform/http/schemas.ts';
import { LANGUAGES } from '#platform/text/languages.ts';

/** The kinds of emails that customers get in a developer's name. */
export const customerEmailKinds = [
  'redemption',
  'my_products',
  'seat_code',
  'customer_changed',
  'new_version',
  'order',
  'order_link',
  'account_closed',
] as const;

const State = z.enum(['queued', 'sent', 'failed']);
export type EmailState = z.output<typeof State>;

export const EmailQuery = z.object({
  state: State.optional().describe('Only emails in this state.'),
  cursor: Cursor,
  limit: Limit,
});

export const EmailView = z
  .object({
    id: Id,
    kind: z.string(),
    recipient: z.string().describe('Empty after 30 days.'),
    subject: z.string(),
    attempts: z.int(),
    error: z.string().nullable().describe('The error of the last failed attempt.'),
    created_at: Time,
    sent_at: Time.nullable(),
    failed_at: Time.nullable().describe('When delivery was given up.'),
  })
  .meta({ id: 'SentEmail' });
export type EmailView = z.output<typeof EmailView>;

export const EmailPage = z
  .object({ rows: z.array(EmailView), next_cursor: z.string().nullable() })
  .meta({ id: 'SentEmailPage' });

export const OwnEmailQuery = z.object({
  state: State.optional().describe('Only emails in this state.'),
  kind: z.enum(customerEmailKinds).optional().describe('Only this kind.'),
  recipient: z.string().trim().max(254).optional().describe('Only emails to exactly this address.'),
  cursor: Cursor,
  limit: Limit,
});
export type OwnEmailQuery = z.output<typeof OwnEmailQuery>;

export const OwnEmailView = z
  .object({
    id: Id,
    kind: z.enum(customerEmailKinds).describe('What the email was about.'),
    recipient: dataOf('people', z.string().describe('Empty after 30 days, and after an erasure.')),
    subject: z.string(),
    state: State.describe(
      '`sent`: the mail server took it. `failed`: delivery was given up, or it was held back because the address had 20 of yours within a day.',
    ),
    attempts: z.int(),
    error: z.string().nullable().describe('The error of the last failed attempt, or why it was held back.'),
    created_at: Time,
    sent_at: Time.nullable(),
    failed_at: Time.nullable().describe('When delivery was given up, or held back.'),
  })
  .meta({ id: 'CustomerEmail' });
export type OwnEmailView = z.output<typeof OwnEmailView>;

export const OwnEmailPage = z
  .object({ rows: z.array(OwnEmailView), next_cursor: z.string().nullable() })
  .meta({ id: 'CustomerEmailPage' });

export const AnnouncementBody = z
  .strictObject({
    subject: z
      .string()
      .trim()
      .min(1, 'Required.')
      .max(200)
      .regex(/^[^\p{Cc}]*$/u, 'Use one line.'),
    body: z
      .string()
      .trim()
      .min(1, 'Required.')
      .max(20_000)
      .transform((text) => text.replace(/\r\n?/g, '\n'))
      .describe('Plain text. An empty line starts a new paragraph.'),
    audience: z.enum(['developers', 'resellers', 'everybody']),
  })
  .meta({ id: 'SendAnnouncement' });
export type AnnouncementForm = z.output<typeof AnnouncementBody>;

export const AnnouncementSent = z.object({ id: Id, recipients: z.int() }).meta({ id: 'AnnouncementSent' });

export const AnnouncementView = z
  .object({
    id: Id,
    subject: z.string(),
    body: z.string(),
    audience: z.enum(['developers', 'resellers', 'everybody']),
    recipients: z.int(),
    created_at: Time,
  })
  .meta({ id: 'Announcement' });
export type AnnouncementView = z.output<typeof AnnouncementView>;

export const AnnouncementQuery = z.object({ cursor: Cursor, limit: Limit });
export const AnnouncementPage = z
  .object({ rows: z.array(AnnouncementView), next_cursor: z.string().nullable() })
  .meta({ id: 'AnnouncementPage' });

const { logo_url, brand_color, support_email, support_url } = brandLook;

/** A query drops what is empty, so that taking something away needs a word. */
const None = z.literal('none').transform(() => null);

export const EmailPreviewQuery = z.object({
  language: z.enum(LANGUAGES).default('en').describe('The language that the redemption page was in.'),
  logo_url: None.or(logo_url).describe('In place of the saved one, as for the three below; `none` for no logo.'),
  brand_color,
  support_email: None.or(support_email).describe('`none` for no address.'),
  support_url: None.or(support_url).describe('`none` for no address.'),
});
export type EmailPreviewQuery = z.output<typeof EmailPreviewQuery>;

export const EmailPreview = z
  .object({
    subject: z.string(),
    text: z.string().describe('The same as plain text.'),
    html: z.string().describe('A whole document with its own styles, without scripts.'),
  })
  .meta({ id: 'EmailPreview' });
export type EmailPreview = z.output<typeof EmailPreview>;

const Token = z.string().min(1).max(2000);
export const UnsubscribeQuery = z.object({ token: Token.optional() });
/** JSON with the token; or, from an email client, a form to a URL that contains it. */
export const UnsubscribeBody = z
  .object({
    token: Token.optional(),
    updates: z
      .literal('again')
      .optional()
      .describe('With the link of a developer’s customer: send emails about new versions again.'),
  })
  .meta({ id: 'Unsubscribe' });
export const UnsubscribePageQuery = z.object({ token: Token });
