import type { ReactNode } from 'react';
import { formatDay } from '../lib/format.ts';
import { mailto } from '../lib/mailto.ts';
import type { PartnerDeveloper, Reseller } from '../lib/types.ts';
import { Badge } from './badge.tsx';

export type Partner = Reseller | PartnerDeveloper;

const linkClass = 'wrap-anywhere text-accent-text underline decoration-accent-line underline-offset-4';

export const contactOf = ({ first_name, last_name }: Partner) => [first_name, last_name].filter(Boolean).join(' ');

/** Who a partner is, for `Facts`. Those that are not known are left out there. */
export function companyFacts(partner: Partner): [label: string, value: ReactNode][] {
  const { email, website, business_address, tax_id, since, ended_at } = partner;
  return [
    ['Contact', contactOf(partner)],
    [
      'Email',
      email ? (
        <a key="email" href={mailto(email)} className={linkClass}>
          {email}
        </a>
      ) : null,
    ],
    [
      'Website',
      website && /^https?:\/\//i.test(website) ? (
        <a key="website" href={website} target="_blank" rel="noreferrer" className={linkClass}>
          {website.replace(/^https?:\/\/|\/$/gi, '')}
          <span className="sr-only"> (opens in a new tab)</span>
        </a>
      ) : (
        website
      ),
    ],
    ['Business address', business_address],
    ['Tax id', tax_id],
    ['Partners since', since ? formatDay(since) : null],
    ['Ended', ended_at ? formatDay(ended_at) : null],
  ];
}

const words = {
  named: { tone: 'plain', text: 'No account yet' },
  active: { tone: 'good', text: 'Active' },
  paused: { tone: 'warn', text: 'Paused' },
  ended: { tone: 'plain', text: 'Ended' },
  merged: { tone: 'plain', text: 'Merged' },
} as const;

export function PartnerStatus({ status }: { status: Partner['status'] }) {
  return <Badge tone={words[status].tone}>{words[status].text}</Badge>;
}
