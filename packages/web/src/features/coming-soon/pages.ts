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

const pricing = { words: 'See the plans', to: linkOptions({ to: '/pricing' }) };
const settings = { words: 'Open Settings', to: linkOptions({ to: '/dashboard/settings' }) };

const pages = {
  billing: {
    title: 'Billing Hub',
    lead: 'What this month costs, and every month before.',
    coming: [
      'Your plan, the redemptions used and what those above the quota cost',
      'An estimated total for the month, with subscription and refresh charges',
      'Overage and redemptions over any period, as charts and as CSV',
      'Billing history, month by month',
    ],
    today:
      "Your plan and this month's redemptions are in Settings, and the pricing page shows what each plan includes.",
    links: [{ words: 'Open your plan', to: linkOptions({ to: '/dashboard/settings', hash: 'plan' }) }, pricing],
  },
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
