import '../styles/fonts.css';
import '../styles/tokens.css';
import './redeem.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { type Brand, loadBrand, paint } from './brand.ts';
import { loadTexts, preferredLanguage } from './language.ts';
import { RedeemPage } from './redeem-page.tsx';

async function start() {
  const { dev, serial, email, link } = readAddress();
  let newest: Brand | undefined;
  let show = (brand: Brand) => {
    newest = brand;
  };
  const [early, [lang, texts]] = await Promise.all([
    loadBrand(dev, (brand) => show(brand)),
    loadTexts(preferredLanguage()),
  ]);
  const root = createRoot(document.getElementById('root') as HTMLElement);
  show = (brand) => {
    paint(brand);
    root.render(
      <StrictMode>
        <RedeemPage brand={brand} lang={lang} texts={texts} given={{ dev, serial, email, link }} />
      </StrictMode>,
    );
  };
  show(newest ?? early);
}

function readAddress() {
  const url = new URL(window.location.href);
  const given = (name: string) => url.searchParams.get(name);
  const address = {
    dev: given('dev'),
    serial: given('serial') ?? '',
    email: given('email') ?? '',
    link: given('open'),
  };
  if (address.link !== null) {
    // the token must not stay in the address bar or the history
    url.searchParams.delete('open');
    window.history.replaceState(null, '', url);
  }
  return address;
}

void start();
