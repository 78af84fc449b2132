import { composeEmail } from '#platform/email/compose-email.ts';
import type { Email } from '#platform/email/mailer.ts';
import { momentInWords } from '#platform/time/dates-in-words.ts';

/** The recipient of the email, and the link that switches its kind off. */
export interface Recipient {
  email: string;
  /** The account's, for dates. */
  timeZone: string;
  unsubscribeUrl: string;
}

export interface Failing {
  url: string;
  description: string;
  enabled: boolean;
  disabled_reason: string | null;
  first_failure_at: Date;
}

const WORDS: Record<string, string> = {
  address: 'its address is not allowed',
  dns: 'its host was not found',
  connect: 'no connection could be made',
  tls: 'its certificate or encryption was not accepted',
  timeout: 'it did not answer in time',
  closed: 'it closed the connection',
  malformed: 'its answer could not be read',
  redirect: 'it redirects, which is not followed',
  proxy: 'the proxy refused it',
};

const FOR = ['an hour', 'an hour', 'a day', 'three days'];

/** That an endpoint fails, or was switched off. */
export function failingEmail({
  to,
  url,
  failing,
  level,
  last,
}: {
  to: Recipient;
  url: string;
  failing: Failing;
  level: number;
  last: { error: string | null; status: number | null } | null;
}): Email {
  const host = new URL(failing.url).host;
  const why = last?.status
    ? `it answered with status ${last.status}`
    : (WORDS[last?.error ?? ''] ?? 'it did not answer');
  const rows: [string, string][] = [
    ['Webhook', failing.description || host],
    ['Address', failing.url],
    ['Failing since', momentInWords(failing.first_failure_at, to.timeZone)],
    ['Last failure', why],
  ];
  const link = { label: 'Open the webhook', url };
  const recipient = { to: to.email, unsubscribeUrl: to.unsubscribeUrl };
  if (!failing.enabled) {
    const reason =
      failing.disabled_reason === 'gone'
        ? `Your webhook at ${host} answered that it is gone (410), so it has been switched off.`
        : `Your webhook at ${host} has failed for five days, so it has been switched off.`;
    return composeEmail({
      ...recipient,
      subject: `Your webhook at ${host} has been switched off`,
      lines: [
        reason,
        'Events are still being recorded. Switch it on again within 30 days, and you can have everything sent that it missed.',
      ],
      rows,
      link,
    });
  }
  return composeEmail({
    ...recipient,
    subject: `Your webhook at ${host} is failing`,
    lines: [
      `No attempt to send events to your webhook at ${host} has succeeded for ${FOR[level] ?? 'some time'}.`,
      'Each event is tried ten times over about three days. After five days without success the webhook is switched off.',
    ],
    rows,
    link,
  });
}
