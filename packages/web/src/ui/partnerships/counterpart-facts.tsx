import type { ReactNode } from 'react';
import { mailto } from '#lib/mailto.ts';
import type { Developer, Reseller } from '#lib/types.ts';
import { Badge } from '../badge.tsx';
import { Day } from '../time-ago.tsx';

export type Counterpart = Reseller | Developer;

const linkClass = 'wrap-anywhere text-accent-text underline decoration-accent-line underline-offset-4';

export const contactOf = ({ first_name, last_name }: Counterpart) => [first_name, last_name].filter(Boolean).join(' ');

/** The facts about a counterpart, for `Facts`, which leaves out those that are not known. */
export function companyFacts(counterpart: Counterpart): [label: string, value: ReactNode][] {
  const { email, website, business_address, tax_id, since, ended_at } = counterpart;
  return [
    ['Contact', contactOf(counterpart)],
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
    ['Partnership since', since ? <Day key="since" iso={since} /> : null],
    ['Ended', ended_at ? <Day key="ended" iso={ended_at} /> : null],
  ];
}

const words = {
  named: {
    tone: 'plain',
    text: 'No account yet',
    means: 'Known by name only. Their sales are counted, and an invitation connects an account.',
  },
  active: { tone: 'good', text: 'Active', means: 'Serials can be sold, and commission is counted.' },
  paused: {
    tone: 'warn',
    text: 'Paused',
    means: 'Products, deals and stock are out of reach until it is resumed. What was sold keeps working.',
  },
  ended: { tone: 'plain', text: 'Ended', means: 'Nothing new is sold. What was sold keeps working and is settled.' },
  merged: { tone: 'plain', text: 'Merged', means: 'Its sales are counted for the reseller it was merged into.' },
} as const;

export function CounterpartStatus({ status }: { status: Counterpart['status'] }) {
  const { tone, text, means } = words[status];
  return (
    <Badge tone={tone} means={means}>
      {text}
    </Badge>
  );
}
