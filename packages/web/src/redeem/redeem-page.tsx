import type { ProductCard, RedemptionResult } from '@tonerow/sdk';
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';
import type { Texts } from '#lib/redeem-texts/en.ts';
import { type Language, loadTexts } from '#lib/redeem-texts/index.ts';
import { wordsOf } from '#lib/redeem-texts/words.ts';
import { type Brand, isId } from './brand/brand.ts';
import { BrandHeader } from './brand/brand-header.tsx';
import { Footer } from './brand/footer.tsx';
import { rememberLanguage } from './brand/language.ts';
import type { DeviceProps } from './device/device.tsx';
import { explain } from './explain.ts';
import { Downloads } from './products/downloads.tsx';
import { ComputerContext } from './products/files.tsx';
import type { OrderProps } from './products/order.tsx';
import type { OwnedProductsProps } from './products/owned-products.tsx';
import { FindStep, type Why } from './steps/find-step.tsx';
import { NameStep } from './steps/name-step.tsx';
import { OrderStep } from './steps/order-step.tsx';
import { SerialStep } from './steps/serial-step.tsx';
import { useSteps } from './steps/steps.ts';
import { forget, hintOf, remember, rememberDevice, remembered } from './storage.ts';
import type { Computer } from './system.ts';
import { WordsProvider } from './words.tsx';

/** Few pages have any, and without it nothing is lost. */
const Unlocked = lazy<ComponentType<{ dev: string }>>(() =>
  import('./products/unlocked.tsx').then(
    ({ Unlocked }) => ({ default: Unlocked }),
    () => ({ default: () => null }),
  ),
);

type Step =
  | { name: 'serial'; error?: string }
  | { name: 'who'; ticket: string }
  | { name: 'find'; why?: Why }
  | { name: 'downloads'; token: string; who: string | null; products?: ProductCard[] }
  | { name: 'mine'; link: string }
  | { name: 'find-order' }
  | { name: 'order'; link: string }
  | { name: 'device'; token: string | null };

interface Given {
  dev: string | null;
  serial: string;
  email: string;
  /** The token from the email with all products. */
  link: string | null;
  /** The number of an order whose codes are looked for; empty: they have to enter it. */
  order: string | null;
  /** The token from the email with a link to the codes of an order. */
  codes: string | null;
  /** The token from the email about one serial, which opens its downloads. */
  downloads: string | null;
  /** The code of a plugin that waits for an answer; empty: it has to be typed. */
  device: string | null;
}

interface Props {
  brand: Brand;
  lang: Language;
  texts: Texts;
  given: Given;
  computer: Computer;
  /** Null without a link from an email, or when it could not be loaded. */
  OwnedProducts: ComponentType<OwnedProductsProps> | null;
  /** The same of a link to the codes of an order. */
  Order: ComponentType<OrderProps> | null;
  /** Null where no plugin waits, or when it could not be loaded. */
  Device: ComponentType<DeviceProps> | null;
}

/** Serial, name if needed, downloads; or everything that an address owns, opened by a link from an email. */
export function RedeemPage({ brand, lang, texts, given, computer, OwnedProducts, Order, Device }: Props) {
  const [words, setWords] = useState(() => wordsOf(lang, texts));
  const [form, setForm] = useState({ serial: given.serial, email: given.email, order: given.order ?? '' });
  const place = isId(given.dev) ? given.dev : undefined;
  // with an unknown developer id, every serial would be unknown
  const dev = brand.look?.user_id ?? (brand.missing === 'unreachable' ? place : undefined);
  const { t } = words;

  const [device, setDevice] = useState(given.device);
  const { id, step, go, restart } = useSteps<Step>(
    (given.link !== null && !OwnedProducts) || (given.codes !== null && !Order) || (given.device !== null && !Device)
      ? { name: 'serial', error: t.openFailed }
      : firstStep(given, place),
  );

  useEffect(() => {
    document.documentElement.lang = words.lang;
    document.documentElement.dir = 'ltr';
    document.title = [words.t.title, brand.look?.company_name].filter(Boolean).join(' · ');
  }, [words, brand]);

  const wait = (code: string | null) => {
    rememberDevice(place, code || null);
    setDevice(code);
  };

  const choose = async (wanted: Language) => {
    rememberLanguage(wanted);
    setWords(wordsOf(...(await loadTexts(wanted))));
  };

  const finish = (result: RedemptionResult, how: 'push' | 'replace') => {
    const { download_token: token, products } = result;
    if (!token || !products) return false;
    const who = hintOf(form.email);
    remember(place, { token, who });
    setForm((last) => ({ ...last, serial: '' }));
    if (device !== null && Device) go({ name: 'device', token }, how);
    else go({ name: 'downloads', token, who, products }, how);
    return true;
  };

  const again = () => {
    // the serial of a link is open already
    if (step.name === 'downloads') setForm((last) => ({ ...last, serial: '' }));
    go({ name: 'serial' });
  };
  const ask = (error: unknown) => go({ name: 'serial', error: explain(error, words, t.failed) }, 'replace');

  const forgetMe = () => {
    forget(place);
    setForm({ serial: '', email: '', order: '' });
    restart({ name: 'serial' });
  };

  const expire = (error: unknown, token?: string) => {
    // an old email's token leaves the remembered one alone
    if (token === undefined || remembered(place)?.token === token) forget(place);
    ask(error);
  };

  const width = step.name === 'downloads' || step.name === 'mine' ? 'wide' : 'narrow';
  const { look } = brand;
  const support = {
    email: look?.support_email ?? null,
    url: look?.support_url ?? null,
    name: look?.company_name ?? null,
    closed: look?.closed ?? false,
  };
  return (
    <WordsProvider value={words}>
      <ComputerContext value={computer}>
        <div className="page">
          <BrandHeader brand={brand} width={width} />
          <main className={width} key={id}>
            {brand.look?.closed ? <p className="closed">{t.closed}</p> : null}
            {step.name === 'serial' && (
              <SerialStep
                form={form}
                onForm={(next) => setForm((last) => ({ ...last, ...next }))}
                dev={dev}
                token={remembered(place)?.token}
                notice={step.error}
                focus={id !== 0}
                onTicket={(ticket) => go({ name: 'who', ticket })}
                onDone={(result) => finish(result, 'push')}
                onFind={brand.missing === 'unknown' ? undefined : () => go({ name: 'find' })}
                onFindOrder={brand.missing === 'unknown' ? undefined : () => go({ name: 'find-order' })}
              />
            )}
            {step.name === 'who' && (
              <NameStep
                ticket={step.ticket}
                onDone={(result) => finish(result, 'replace')}
                onBack={() => window.history.back()}
                onExpired={ask}
              />
            )}
            {step.name === 'find' && (
              <FindStep
                why={step.why ?? 'products'}
                email={form.email}
                onEmail={(email) => setForm((last) => ({ ...last, email }))}
                dev={dev}
                onBack={again}
              />
            )}
            {step.name === 'find-order' && (
              <OrderStep
                form={form}
                onForm={(next) => setForm((last) => ({ ...last, ...next }))}
                dev={dev}
                onBack={again}
              />
            )}
            {step.name === 'order' && Order && (
              <Order
                link={step.link}
                onRedeem={(code) => {
                  setForm((last) => ({ ...last, serial: code }));
                  go({ name: 'serial' });
                }}
                onAsk={() => go({ name: 'find-order' })}
                onAnother={again}
              />
            )}
            {step.name === 'downloads' && (
              <Downloads
                token={step.token}
                initial={step.products}
                who={step.who}
                support={support}
                onFind={(why) => go({ name: 'find', why })}
                onAnother={again}
                onForget={forgetMe}
                onInvalid={(error) => expire(error, step.token)}
              />
            )}
            {step.name === 'device' && Device && (
              <Device
                code={device ?? ''}
                dev={dev}
                token={step.token}
                onCode={wait}
                onEmail={() => {
                  wait(device);
                  go({ name: 'find', why: 'plugin' });
                }}
                onSerial={() => go({ name: 'serial' })}
                onStale={() => go({ name: 'device', token: null }, 'replace')}
                onAnswered={() => rememberDevice(place, null)}
              />
            )}
            {step.name === 'mine' && OwnedProducts && (
              <OwnedProducts
                link={step.link}
                support={support}
                onOpened={(token, who) => remember(place, { token, who })}
                onAnother={again}
                onForget={forgetMe}
                onAsk={() => go({ name: 'find' })}
                onInvalid={expire}
              />
            )}
            {look?.unlocked && (step.name === 'serial' || width === 'wide') ? (
              <Suspense>
                <Unlocked dev={look.user_id} />
              </Suspense>
            ) : null}
          </main>
          <Footer brand={brand} ownDomain={given.dev === null && brand.look !== null} onLanguage={choose} />
        </div>
      </ComputerContext>
    </WordsProvider>
  );
}

function firstStep(given: Given, place: string | undefined): Step {
  if (given.device !== null) return { name: 'device', token: given.link ?? remembered(place)?.token ?? null };
  if (given.link !== null) return { name: 'mine', link: given.link };
  if (given.codes !== null) return { name: 'order', link: given.codes };
  if (given.order !== null) return { name: 'find-order' };
  const known = remembered(place);
  if (given.downloads) {
    const opened = { token: given.downloads, who: given.email ? hintOf(given.email) : null };
    // another serial may be remembered here, and this one is in the email
    if (!known) remember(place, opened);
    return { name: 'downloads', ...opened };
  }
  // a link with a serial redeems it at once
  return known && given.serial === '' ? { name: 'downloads', ...known } : { name: 'serial' };
}
