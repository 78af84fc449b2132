import { type LinkProps, linkOptions } from '@tanstack/react-router';

interface Outlook {
  title: string;
  lead: string;
  /** What the screen is going to hold. */
  coming: string[];
  /** What gets the job done until then. */
  today: string;
  links: { words: string; to: LinkProps }[];
}

const settings = { words: 'Open Settings', to: linkOptions({ to: '/dashboard/settings' }) };

const pages = {
  logs: {
    title: 'Billing logs',
    lead: 'Every charge of every developer, for admins.',
    coming: ['Developer, amount, status, error and time of each charge'],
    today: 'No charges are made yet, so there is nothing to look up.',
    links: [settings],
  },
} satisfies Record<string, Outlook>;

export type Page = keyof typeof pages;

export const pageOf = (page: Page): Outlook => pages[page];
