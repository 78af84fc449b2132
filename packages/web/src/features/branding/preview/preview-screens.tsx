import { type ReactNode, useState } from 'react';
import { LANGUAGE_NAMES } from '#lib/redeem-texts/index.ts';
import type { Words } from '#lib/redeem-texts/words.ts';
import { cn } from '#ui/cn.ts';
import { Mark } from '#ui/mark.tsx';
import { PreviewCard, type SampleProduct } from './preview-card.tsx';
import { inkClass, primaryClass } from './preview-classes.ts';

export interface PreviewBrand {
  company: string;
  logo: string | null;
  supportEmail: string | null;
  supportUrl: string | null;
}

/** The first screen that a customer sees. */
export function InitialView({ brand, words }: { brand: PreviewBrand; words: Words }) {
  const { t } = words;
  return (
    <Page brand={brand} words={words} title={t.title} intro={t.intro}>
      <SampleField label={t.serial} note={t.serialHint} code>
        XXXX-XXXX-XXXX-XXXX
      </SampleField>
      <SampleField label={t.email} note={t.emailHint}>
        you@example.com
      </SampleField>
      <div className={cn('grid h-[52px] place-items-center text-md', primaryClass)}>{t.continue}</div>
      <Aside words={t.lost} link={t.find} />
    </Page>
  );
}

/** The screen of a customer who owns serials: a product that is ready, and one that needs the developer's help. */
export function DownloadView({ brand, product, words }: DownloadViewProps) {
  const { t } = words;
  return (
    <Page brand={brand} words={words} title={t.downloadsTitle} intro={t.downloadsIntro}>
      <div className="flex flex-col gap-5">
        <PreviewCard {...product} code="K7QM-2XWN-HV9D-4RTB" used={1} words={words} />
        <PreviewCard {...product} code="P3ZC-8LGF-6YKE-M5AJ" used={5} words={words} />
      </div>
      <div className="mt-6 text-base text-muted">{t.moreText}</div>
      <div className="mt-3 flex flex-wrap gap-3">
        {[t.myProducts, t.freeComputer].map((way) => (
          <div key={way} className={cn('grow px-4', wayClass)}>
            {way}
          </div>
        ))}
      </div>
      <div className={cn('mt-6', wayClass)}>{t.another}</div>
      <Aside words="y•••@example.com" link={t.notYou} />
    </Page>
  );
}

const wayClass = 'grid h-11 place-items-center rounded-md border border-line-strong bg-surface text-base font-semibold';

interface DownloadViewProps {
  brand: PreviewBrand;
  product: SampleProduct;
  words: Words;
}

interface PageProps {
  brand: PreviewBrand;
  words: Words;
  title: string;
  intro: string;
  children: ReactNode;
}

function Page({ brand, words, title, intro, children }: PageProps) {
  return (
    <div className="flex min-h-[667px] flex-col border-t-4 border-(--brand) bg-canvas px-5 text-md text-text">
      <Logo {...brand} />
      <div className="flex-1 pt-7 pb-12">
        <div className="text-[28px] leading-[1.14] font-[620] tracking-[-0.028em] text-balance">{title}</div>
        <p className="mt-3 mb-8 text-pretty text-muted">{intro}</p>
        {children}
      </div>
      <Foot {...brand} words={words} />
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

function Foot({ company, logo, supportEmail, supportUrl, words: { t, lang } }: PreviewBrand & { words: Words }) {
  const contact = supportEmail ?? supportUrl?.replace(/^https?:\/\//, '').replace(/\/$/, '');
  return (
    <div className="flex flex-col items-center gap-2.5 py-6 text-center text-sm text-muted">
      {contact ? (
        <div className="flex flex-wrap justify-center gap-x-4">
          {logo && company ? <span>{company}</span> : null}
          <span className="min-w-0 wrap-anywhere">
            {t.help} <span className={inkClass}>{contact}</span>
          </span>
        </div>
      ) : null}
      <div className="flex items-center gap-5">
        <span>{LANGUAGE_NAMES[lang]}</span>
        <span className="underline underline-offset-2">{t.terms}</span>
        <span className="flex items-center gap-2">
          <Mark className="h-2.5" />
          Tonerow
        </span>
      </div>
    </div>
  );
}
