import { Link } from '@tanstack/react-router';
import { ArrowRight, KeyRound, TicketCheck } from 'lucide-react';
import { useTitle } from '../../lib/hooks.ts';
import { useRedeemUrl } from '../../lib/session.ts';
import { LinkLine } from '../../ui/link-line.tsx';
import { PageHeader, Panel } from '../../ui/page.tsx';

export function Tools() {
  useTitle('Tools Hub');
  const redeemUrl = useRedeemUrl();
  return (
    <>
      <PageHeader title="Tools Hub">Connect your plugins to their licences.</PageHeader>
      <ul className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <li>
          <Link to="/developer/tools/licensingapi" className="group block h-full rounded-lg">
            <Panel className="flex h-full items-start gap-4 p-5 transition-colors group-hover:border-line-strong group-hover:bg-hover">
              <span className="grid size-10 shrink-0 place-items-center rounded-md bg-accent-soft text-accent-text">
                <KeyRound className="size-5" aria-hidden />
              </span>
              <div className="min-w-0 flex-1">
                <h2 className="font-semibold">Licensing API</h2>
                <p className="mt-0.5 text-muted">
                  Plugin keys, and the three calls that activate, validate and free a seat.
                </p>
              </div>
              <ArrowRight
                className="mt-0.5 size-4 shrink-0 text-muted transition-transform group-hover:translate-x-0.5"
                aria-hidden
              />
            </Panel>
          </Link>
        </li>
        {redeemUrl ? (
          <li>
            <Panel className="flex h-full items-start gap-4 p-5">
              <span className="grid size-10 shrink-0 place-items-center rounded-md bg-accent-soft text-accent-text">
                <TicketCheck className="size-5" aria-hidden />
              </span>
              <div className="min-w-0 flex-1">
                <h2 className="font-semibold">Your redemption page</h2>
                <p className="mt-0.5 mb-2 text-muted">
                  Where your customers redeem a serial and download. Put it in your shop's mails.
                </p>
                <LinkLine url={redeemUrl} what="the address of your redemption page" />
              </div>
            </Panel>
          </li>
        ) : null}
      </ul>
    </>
  );
}
