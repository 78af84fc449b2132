import { type ReactNode, useState } from 'react';
import { cn } from '../../ui/cn.ts';
import { Mark } from '../../ui/mark.tsx';
import { PreviewCard, type SampleProduct } from './preview-card.tsx';
import { inkClass, primaryClass } from './preview-classes.ts';

export interface PreviewBrand {
  company: string;
  logo: string | null;
  supportEmail: string | null;
  supportUrl: string | null;
}

/** What a customer sees first. */
export function InitialView({ brand }: { brand: PreviewBrand }) {
  return (
    <Page
      brand={brand}
      title="Redeem your serial"
      intro="Enter the code from your purchase. It unlocks your downloads."
    >
      <SampleField label="Serial" note="Case, spaces and dashes do not matter. You can paste the whole email." code>
        XXXX-XXXX-XXXX-XXXX
      </SampleField>
      <SampleField label="Email" note="Your plugin will belong to this address.">
        you@example.com
      </SampleField>
      <div className={cn('grid h-[52px] place-items-center text-md', primaryClass)}>Continue</div>
      <Aside words="Lost your serial?" link="Find my products" />
    </Page>
  );
}

/** What a customer sees once a serial is theirs: a product that is ready, and one that needs the developer's help. */
export function DownloadView({ brand, product }: { brand: PreviewBrand; product: SampleProduct }) {
  const help = brand.supportEmail !== null || brand.supportUrl !== null;
  return (
    <Page brand={brand} title="Your downloads" intro="Keep the serial: your plugin asks for it when you start it.">
      <div className="flex flex-col gap-5">
        <PreviewCard {...product} code="K7QM-2XWN-HV9D-4RTB" used={1} help={help} />
        <PreviewCard {...product} code="P3ZC-8LGF-6YKE-M5AJ" used={5} help={help} />
      </div>
      <div className="mt-6 grid h-11 place-items-center rounded-md border border-line-strong bg-surface text-base font-semibold">
        Redeem another
      </div>
      <Aside words="y•••@example.com" link="Not you?" />
    </Page>
  );
}

interface PageProps {
  brand: PreviewBrand;
  title: string;
  intro: string;
  children: ReactNode;
}

function Page({ brand, title, intro, children }: PageProps) {
  return (
    <div className="flex min-h-[667px] flex-col border-t-4 border-(--brand) bg-canvas px-5 text-md text-text">
      <Logo {...brand} />
      <div className="flex-1 pt-7 pb-12">
        <div className="text-[28px] leading-[1.14] font-[620] tracking-[-0.028em] text-balance">{title}</div>
        <p className="mt-3 mb-8 text-pretty text-muted">{intro}</p>
        {children}
      </div>
      <Foot {...brand} />
    </div>
  );
}

function Logo({ company, logo }: PreviewBrand) {
  const [broken, setBroken] = useState<string | null>(null);
  return (
    <div className="mt-8 flex min-h-16 items-center">
      {logo && logo !== broken ? (
        <img
          src={logo}
          alt=""
          onError={() => setBroken(logo)}
          className="h-16 max-w-[260px] object-contain object-left"
        />
      ) : (
        <span className="line-clamp-2 text-lg font-[620] tracking-[-0.02em]">{company}</span>
      )}
    </div>
  );
}

interface SampleFieldProps {
  label: string;
  note: string;
  code?: boolean;
  children: string;
}

function SampleField({ label, note, code = false, children }: SampleFieldProps) {
  return (
    <div className="mb-6">
      <div className="mb-2 text-base font-[550]">{label}</div>
      <div
        className={cn(
          'flex items-center rounded-md border border-control-line bg-surface text-faint',
          code ? 'h-16 justify-center font-mono text-[19px] tracking-[0.02em]' : 'h-[52px] px-4',
        )}
      >
        {children}
      </div>
      <div className="mt-2 text-base text-muted">{note}</div>
    </div>
  );
}

function Aside({ words, link }: { words: string; link: string }) {
  return (
    <div className="mt-6 flex flex-wrap justify-center gap-x-2 text-base text-muted">
      {words} <span className={cn('font-[550]', inkClass)}>{link}</span>
    </div>
  );
}

function Foot({ company, logo, supportEmail, supportUrl }: PreviewBrand) {
  const contact = supportEmail ?? supportUrl?.replace(/^https?:\/\//, '').replace(/\/$/, '');
  return (
    <div className="flex flex-col items-center gap-2.5 py-6 text-center text-sm text-muted">
      {contact ? (
        <div className="flex flex-wrap justify-center gap-x-4">
          {logo && company ? <span>{company}</span> : null}
          <span className="min-w-0 wrap-anywhere">
            Need help? <span className={inkClass}>{contact}</span>
          </span>
        </div>
      ) : null}
      <div className="flex items-center gap-5">
        <span>English</span>
        <span className="underline underline-offset-2">Terms</span>
        <span className="flex items-center gap-2">
          <Mark className="h-2.5" />
          Tonerow
        </span>
      </div>
    </div>
  );
}
