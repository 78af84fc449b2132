import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { productsQuery } from '#lib/queries/products.ts';
import { LANGUAGE_NAMES, LANGUAGES, type Language, loadTexts } from '#lib/redeem-texts/index.ts';
import { wordsOf } from '#lib/redeem-texts/words.ts';
import { Select } from '#ui/forms/select.tsx';
import { TabLink, TabNav } from '#ui/tabs.tsx';
import { emailLook } from '../branding-values.ts';
import { isColor } from '../color.ts';
import { EmailFrame } from './email-frame.tsx';
import { PreviewFrame } from './preview-frame.tsx';
import { DownloadView, InitialView, type PreviewBrand } from './preview-screens.tsx';

export type PreviewView = 'initial' | 'download' | 'email';

interface PreviewProps {
  /** The screen that shows the preview; the selected view is part of its URL. */
  path: '/dashboard/settings/branding' | '/developer/tools/branding';
  view: PreviewView;
  brand: PreviewBrand;
  color: string;
  dark: boolean;
}

/** The redemption page as a phone shows it, before and after a serial is redeemed, and the email; in each language. */
export function Preview({ path, view, brand, color, dark }: PreviewProps) {
  const products = useQuery(productsQuery(''));
  const first = products.data?.rows[0];
  const shown = useLastColor(color);
  const place = useRef<HTMLDivElement>(null);
  const scale = useScale(place);
  const [lang, setLang] = useState<Language>('en');
  const words = useWords(lang);
  const { logo, supportEmail, supportUrl } = brand;
  const look = useMemo(
    () => emailLook({ color: shown, logo, supportEmail, supportUrl }),
    [shown, logo, supportEmail, supportUrl],
  );
  const label = [
    view === 'initial' ? 'The form for serial and email' : 'Two products with their downloads',
    brand.logo ? 'with your logo' : brand.company ? `with the name ${brand.company}` : 'without a logo',
    `on a ${dark ? 'dark' : 'light'} page, buttons in ${shown}.`,
  ].join(', ');

  return (
    <section aria-label="Preview" className="min-w-0">
      <TabNav label="What the preview shows" className="mb-3">
        <TabLink to={path} search={{}} replace resetScroll={false} current={view === 'initial'}>
          Initial View
        </TabLink>
        <TabLink to={path} search={{ view: 'download' }} replace resetScroll={false} current={view === 'download'}>
          Download View
        </TabLink>
        <TabLink to={path} search={{ view: 'email' }} replace resetScroll={false} current={view === 'email'}>
          Email
        </TabLink>
      </TabNav>
      <Select
        aria-label="Language of the preview"
        value={lang}
        onChange={({ target }) => setLang(LANGUAGES.find((each) => each === target.value) ?? 'en')}
        className="mb-3 max-w-[377px]"
      >
        {LANGUAGES.map((each) => (
          <option key={each} value={each} lang={each}>
            {LANGUAGE_NAMES[each]}
          </option>
        ))}
      </Select>
      <div ref={place}>
        {view === 'email' ? (
          <EmailFrame language={lang} look={look} scale={scale} />
        ) : (
          <PreviewFrame color={shown} dark={dark} lang={words?.lang ?? lang} scale={scale} label={label}>
            {words === null ? null : view === 'initial' ? (
              <InitialView brand={brand} words={words} />
            ) : (
              <DownloadView
                brand={brand}
                product={{ name: first?.name ?? 'Your plugin', picture: first?.image_url ?? null }}
                words={words}
              />
            )}
          </PreviewFrame>
        )}
      </div>
    </section>
  );
}

/** Those of the language before, until the ones that were chosen have loaded; null until the first have. */
function useWords(lang: Language) {
  const [words, setWords] = useState<ReturnType<typeof wordsOf> | null>(null);
  useEffect(() => {
    let wanted = true;
    void loadTexts(lang).then(([loaded, texts]) => {
      if (wanted) setWords(wordsOf(loaded, texts));
    });
    return () => {
      wanted = false;
    };
  }, [lang]);
  return words;
}

/** While a color is being typed, the last valid one stays on screen. */
function useLastColor(color: string): string {
  const [shown, setShown] = useState(color);
  if (isColor(color) && color !== shown) setShown(color);
  return shown;
}

/** As large as the column allows, and never larger than the phone. */
function useScale(place: React.RefObject<HTMLDivElement | null>): number {
  const [scale, setScale] = useState(0.8);
  useEffect(() => {
    if (!place.current) return;
    const observer = new ResizeObserver(([entry]) => {
      const width = entry?.contentRect.width ?? 0;
      if (width > 0) setScale(Math.min(1, (width - 2) / 375));
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [place]);
  return scale;
}
