import { mailto } from '#lib/mailto.ts';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '#lib/redeem-texts/index.ts';
import { Mark } from '#ui/mark.tsx';
import { useWords } from '../words.tsx';
import type { Brand } from './brand.ts';

interface Props {
  brand: Brand;
  /** A custom domain serves only the redemption page. */
  ownDomain: boolean;
  onLanguage: (lang: Language) => void;
}

export function Footer({ brand: { look, missing }, ownDomain, onLanguage }: Props) {
  const { t, lang } = useWords();
  const address = look?.support_email ? mailto(look.support_email) : look?.support_url;
  return (
    <footer>
      {look && (address || look.logo_url) ? (
        <p className="foot support">
          {look.logo_url && look.company_name ? <bdi className="company-small">{look.company_name}</bdi> : null}
          {address ? (
            <span>
              {t.help}{' '}
              <a href={address} rel="noopener">
                {look.support_email ?? plainAddress(address)}
              </a>
            </span>
          ) : null}
        </p>
      ) : null}
      {missing ? <p className="foot support">{t.brandFailed}</p> : null}
      <p className="foot">
        <select aria-label={t.language} value={lang} onChange={(event) => onLanguage(event.target.value as Language)}>
          {LANGUAGES.map((each) => (
            <option key={each} value={each} lang={each}>
              {LANGUAGE_NAMES[each]}
            </option>
          ))}
        </select>
        {ownDomain ? null : <a href="/terms">{t.terms}</a>}
        <span className="ours">
          <Mark className="mark-small" />
          Tonerow
        </span>
      </p>
    </footer>
  );
}

const plainAddress = (address: string) => address.replace(/^https?:\/\//, '').replace(/\/$/, '');
