import '../styles/fonts.css';
import '../styles/tokens.css';
import './redeem.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { loadTexts } from '#lib/redeem-texts/index.ts';
import { type Brand, isId, loadBrand, paint } from './brand/brand.ts';
import { preferredLanguage } from './brand/language.ts';
import { pageOwner } from './brand/page-owner.ts';
import { RedeemPage } from './redeem-page.tsx';
import { waitingDevice } from './storage.ts';
import { thisComputer } from './system.ts';

async function start() {
  const { lang: wanted, ...given } = readAddress();
  let newest: Brand | undefined;
  let show = (brand: Brand) => {
    newest = brand;
  };
  const [early, [lang, texts], computer, OwnedProducts, Order, Device] = await Promise.all([
    loadBrand(given.dev, (brand) => show(brand)),
    loadTexts(preferredLanguage(wanted)),
    thisComputer(navigator),
    // only those who come from an email need it
    given.link === null
      ? null
      : import('./products/owned-products.tsx').then(
          ({ OwnedProducts }) => OwnedProducts,
          () => null,
        ),
    given.codes === null
      ? null
      : import('./products/order.tsx').then(
          ({ Order }) => Order,
          () => null,
        ),
    // and this, those who come from a plugin
    given.device === null
      ? null
      : import('./device/device.tsx').then(
          ({ Device }) => Device,
          () => null,
        ),
  ]);
  const root = createRoot(document.getElementById('root') as HTMLElement);
  show = (brand) => {
    paint(brand);
    root.render(
      <StrictMode>
        <RedeemPage
          brand={brand}
          lang={lang}
          texts={texts}
          given={given}
          computer={computer}
          OwnedProducts={OwnedProducts}
          Order={Order}
          Device={Device}
        />
      </StrictMode>,
    );
  };
  show(newest ?? early);
}

function readAddress() {
  const url = new URL(window.location.href);
  // emails put what is secret behind #, where no server sees it
  const secret = new URLSearchParams(url.hash.slice(1));
  const given = (name: string) => secret.get(name) ?? url.searchParams.get(name);
  const dev = pageOwner(url);
  const link = url.searchParams.get('open');
  const place = isId(dev) ? dev : undefined;
  const address = {
    dev,
    lang: url.searchParams.get('lang'),
    serial: given('serial') ?? '',
    email: given('email') ?? '',
    link,
    downloads: secret.get('downloads'),
    order: url.searchParams.get('order'),
    codes: secret.get('codes'),
    // the link from the email comes back to what was begun here
    device: given('device') ?? (link === null ? null : waitingDevice(place)),
  };
  if (link !== null || secret.size > 0) {
    // the token must not stay in the address bar or the history
    url.searchParams.delete('open');
    url.hash = '';
    window.history.replaceState(null, '', url);
  }
  return address;
}

start().catch(() => {
  // without any texts there is no screen: a word is better than an empty page
  document.getElementById('root')?.append('This page could not be loaded. Check your connection, and reload it.');
});
// another link to this page, opened in the same tab, changes only what is after the #
window.addEventListener('hashchange', () => window.location.reload());
