import { Link } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, CircleX, Info } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { formatMoney } from '#lib/format/format.ts';
import type { SerialDetail } from '#lib/types.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { toneOf } from '#ui/serials/serial-badge.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { useResetDownloads } from './use-reset-downloads.ts';

type Standing = SerialDetail['standing'];
type Finding = Standing['also'][number];
type Mend = Finding['mends'][number];

const looks = {
  good: { box: 'bg-good-soft', icon: CircleCheck, color: 'text-good' },
  warn: { box: 'bg-warn-soft', icon: CircleAlert, color: 'text-warn' },
  bad: { box: 'bg-bad-soft', icon: CircleX, color: 'text-bad' },
  accent: { box: 'bg-accent-soft', icon: Info, color: 'text-accent-text' },
  plain: { box: 'bg-sunken', icon: Info, color: 'text-muted' },
};

interface StandingLinesProps {
  standing: Standing;
  /** A customer has several serials: each line names the one that it is about. */
  subject: 'serial' | 'customer';
  /** Buttons of the screen, for actions that it carries out itself. */
  own?: Partial<Record<Mend['action'], ReactNode>>;
  className?: string;
}

/** Why it does not work, in a sentence each, with what helps beside it. */
export function StandingLines({ standing, subject, own = {}, className }: StandingLinesProps) {
  return (
    <section aria-label="State" className={cn('flex flex-col gap-2', className)}>
      {[standing, ...standing.also].map((finding) => {
        const { box, icon: Icon, color } = looks[toneOf(finding.code)];
        return (
          <div
            key={`${finding.code} ${finding.serial_id}`}
            className={cn('flex min-h-12 flex-wrap items-center gap-x-4 gap-y-2 rounded-lg px-4 py-2', box)}
          >
            <p className="flex min-w-0 flex-1 basis-64 items-start gap-2.5">
              <Icon className={cn('mt-0.5 size-[18px] shrink-0', color)} aria-hidden />
              <span className="min-w-0 wrap-anywhere">
                <strong className="font-semibold">{finding.message}</strong>
                {finding.since ? <TimeAgo iso={finding.since} className="ml-2 text-sm text-muted" /> : null}
                {subject === 'customer' && finding.serial_id ? <About finding={finding} /> : null}
              </span>
            </p>
            {finding.mends.length > 0 ? (
              <div className="flex flex-wrap gap-2">
                {finding.mends.map((mend) => (
                  <Fragment key={mend.action}>
                    {own[mend.action] ?? <MendButton mend={mend} finding={finding} />}
                  </Fragment>
                ))}
              </div>
            ) : null}
          </div>
        );
      })}
    </section>
  );
}

function About({ finding }: { finding: Finding }) {
  return (
    <span className="block text-sm text-muted">
      {finding.product_name} ·{' '}
      <Link
        to="/dashboard/serials/$serialId"
        params={{ serialId: finding.serial_id ?? '' }}
        className="rounded-sm font-mono text-xs hover:text-text hover:underline"
      >
        {finding.serial}
      </Link>
    </span>
  );
}

/** The words of an action, with its price if it costs something. */
const wordsOf = ({ label, cost }: Mend) => (cost > 0 ? `${label} (${formatMoney(cost)})` : label);

function MendButton({ mend, finding }: { mend: Mend; finding: Finding }) {
  const words = wordsOf(mend);
  const serialId = finding.serial_id ?? '';
  const toSerial = { to: '/dashboard/serials/$serialId', params: { serialId } } as const;
  switch (mend.action) {
    case 'reset_downloads':
      return <Reset id={serialId} words={words} />;
    case 'release_machine':
      return (
        <LinkButton size="sm" {...toSerial} hash="machines">
          {words}
        </LinkButton>
      );
    case 'add_seats':
      return (
        <LinkButton size="sm" {...toSerial} hash="seats">
          {words}
        </LinkButton>
      );
    case 'reassign':
    case 'extend_batch':
    case 'change_start':
      return (
        <LinkButton size="sm" {...toSerial}>
          {words}
        </LinkButton>
      );
    case 'submit_product':
      return (
        <LinkButton size="sm" to="/products/edit/$productId" params={{ productId: finding.product_id ?? '' }}>
          {words}
        </LinkButton>
      );
    case 'change_plan':
      return (
        <LinkButton size="sm" to="/dashboard/billing">
          {words}
        </LinkButton>
      );
    default:
      return null;
  }
}

function Reset({ id, words }: { id: string; words: string }) {
  const reset = useResetDownloads(id);
  return (
    <Button size="sm" busy={reset.isPending} onClick={() => reset.mutate()}>
      {words}
    </Button>
  );
}
