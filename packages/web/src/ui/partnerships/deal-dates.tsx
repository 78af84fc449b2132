import { formatChosen, formatWindow } from '#lib/format/format.ts';
import { cn } from '../cn.ts';
import { Tooltip } from '../tooltip.tsx';

interface Dates {
  promo_start: string | null;
  promo_expires: string | null;
  expires_at: string | null;
}

/** The time in which a deal may be sold, in words. */
function promoWindow({ promo_start: from, promo_expires: until }: Dates, owner: string | undefined): string {
  if (from && until) return formatWindow(from, until, owner);
  if (from) return `From ${formatChosen(from, 'start', owner)}`;
  return until ? `Until ${formatChosen(until, 'end', owner)}` : 'No end';
}

/** Breaks between dates and before a zone's name, but not inside of them. */
const breaking = (text: string) => text.replaceAll(' ', '\u00a0').replace(/\u00a0(?=[–(])|(?<=–)\u00a0/g, ' ');

/**
 * The three dates that are easily confused: until when a deal may be sold, until when its serials have to be redeemed,
 * and how long a license lasts after that.
 * @param owner the zone of the account whose dates these are.
 */
export function clocksOf(dates: Dates, owner: string | undefined): [label: string, value: string][] {
  return [
    ['Promo', breaking(promoWindow(dates, owner))],
    ['Redeem by', dates.expires_at ? breaking(formatChosen(dates.expires_at, 'end', owner)) : 'No end'],
    ['License', 'Never ends'],
  ];
}

/** Explains each of the three dates, by its label. */
const means: Record<string, string> = {
  Promo: 'The days in which it may be sold at this price. What was sold in them can be redeemed later.',
  'Redeem by': 'The last day on which a customer can redeem the serial.',
  License: 'How long a redeemed serial works.',
};

interface ClocksProps {
  deal: Dates;
  /** The zone of the account whose dates these are. */
  owner: string | undefined;
  className?: string;
}

export function Clocks({ deal, owner, className }: ClocksProps) {
  return (
    <dl className={cn('figures flex flex-col gap-1 text-sm', className)}>
      {clocksOf(deal, owner).map(([label, value]) => (
        <div key={label} className="flex items-baseline justify-between gap-4">
          <dt className="shrink-0 text-muted">
            <Tooltip content={means[label]}>
              {(trigger) => (
                <span
                  {...trigger}
                  className="rounded-[3px] decoration-line-strong decoration-dotted underline-offset-4 hover:underline"
                >
                  {label}
                </span>
              )}
            </Tooltip>
          </dt>
          <dd className="text-balance text-right">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
