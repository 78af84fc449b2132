import { Link, type LinkProps } from '@tanstack/react-router';
import {
  ArrowRight,
  ArrowUpRight,
  AudioWaveform,
  BookOpen,
  Braces,
  FileUp,
  Globe,
  KeyRound,
  type LucideIcon,
  ShieldX,
  ShoppingCart,
  TicketCheck,
  Webhook,
} from 'lucide-react';
import { useTitle } from '#lib/hooks.ts';
import { useRedeemUrl } from '#lib/session/session.ts';
import { LinkLine } from '#ui/details/link-line.tsx';
import { PageHeader, Panel } from '#ui/page.tsx';

const comingSoon = ['Website Builder', 'Installer Generator', 'Codesign & Notarize', 'Email Marketing'];

export function Tools() {
  useTitle('Tools Hub');
  const redeemUrl = useRedeemUrl();
  return (
    <>
      <PageHeader title="Tools Hub">Connect your plugins to their licenses.</PageHeader>
      <ul className="grid grid-cols-1 gap-5 sm:grid-cols-2 md:grid-cols-1 lg:grid-cols-2">
        <Tool to="/developer/tools/licensingapi" icon={KeyRound} title="Licensing API">
          Plugin keys, and the three calls that activate, validate and deactivate.
        </Tool>
        <Tool to="/developer/tools/hise" icon={AudioWaveform} title="HISE integration">
          A drop-in script for HISE projects, filled in for your product.
        </Tool>
        <Tool to="/developer/tools/branding" icon={Globe} title="Custom Domains & Branding">
          Your redemption page at your own domain, its links, and how a phone shows it.
        </Tool>
        <Tool to="/developer/tools/refusals" icon={ShieldX} title="Refusals">
          Recently refused activations and redemptions, with the reason and what to do.
        </Tool>
        <Tool to="/dashboard/imports" icon={FileUp} title="Moving in">
          Imports customers, stock and sales from the file of another system, and takes them back.
        </Tool>
        <Tool to="/developer/tools/shops" icon={ShoppingCart} title="Shops">
          Connects your shop: a sale becomes serials, and a refund takes them back.
        </Tool>
        <Tool to="/developer/tools/webhooks" icon={Webhook} title="Webhooks">
          Sends events to your own server: signed, retried when it is down, replayed with a click.
        </Tool>
        <Tool href="/docs" icon={Braces} title="API reference">
          Every call of the API, with examples in JavaScript, curl and others.
        </Tool>
        <Tool href="/help" icon={BookOpen} title="Guides">
          Step by step: a JUCE or HISE plugin, serials from CI, machines without a network.
        </Tool>
        {redeemUrl ? (
          <li className="sm:col-span-2 md:col-span-1 lg:col-span-2">
            <Panel className="flex h-full items-start gap-4 p-5">
              <Picture icon={TicketCheck} />
              <div className="min-w-0 flex-1">
                <h2 className="font-semibold">Your redemption page</h2>
                <p className="mt-0.5 mb-2 text-muted">
                  Where your customers redeem serials and download files. Put it in your shop's emails.
                </p>
                <LinkLine url={redeemUrl} what="the address of your redemption page" />
              </div>
            </Panel>
          </li>
        ) : null}
      </ul>
      <section aria-labelledby="coming-soon" className="mt-10">
        <h2 id="coming-soon" className="font-semibold text-muted">
          Coming soon
        </h2>
        <ul className="mt-3 grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-4">
          {comingSoon.map((title) => (
            <li
              key={title}
              className="rounded-lg border border-dashed border-line-strong px-4 py-3 font-medium text-muted"
            >
              {title}
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

type ToolProps = ({ to: LinkProps['to'] } | { href: string }) & {
  icon: LucideIcon;
  title: string;
  children: string;
};

/** One with `href` opens in a new tab. */
function Tool({ icon, title, children, ...target }: ToolProps) {
  const opensTab = 'href' in target;
  const Arrow = opensTab ? ArrowUpRight : ArrowRight;
  const card = (
    <Panel className="flex h-full items-start gap-4 p-5 transition-colors group-hover:border-line-strong group-hover:bg-hover">
      <Picture icon={icon} />
      <div className="min-w-0 flex-1">
        <h2 className="font-semibold">
          {title}
          {opensTab ? <span className="sr-only"> (opens in a new tab)</span> : null}
        </h2>
        <p className="mt-0.5 text-muted">{children}</p>
      </div>
      <Arrow
        className="mt-0.5 size-4 shrink-0 text-muted transition-transform group-hover:translate-x-0.5"
        aria-hidden
      />
    </Panel>
  );
  const className = 'group block h-full rounded-lg';
  return (
    <li>
      {opensTab ? (
        <a href={target.href} target="_blank" rel="noreferrer" className={className}>
          {card}
        </a>
      ) : (
        <Link to={target.to} className={className}>
          {card}
        </Link>
      )}
    </li>
  );
}

function Picture({ icon: Icon }: { icon: LucideIcon }) {
  return (
    <span className="grid size-10 shrink-0 place-items-center rounded-md bg-accent-soft text-accent-text">
      <Icon className="size-5" aria-hidden />
    </span>
  );
}
