import { expect, it } from 'vitest';
import {
  pageLanguages,
  pageTexts,
} from '../../packages/server/src/features/branding/download-pages/download-page-texts.ts';
import { de } from '../../packages/web/src/lib/redeem-texts/de.ts';
import { en } from '../../packages/web/src/lib/redeem-texts/en.ts';
import { es } from '../../packages/web/src/lib/redeem-texts/es.ts';
import { fr } from '../../packages/web/src/lib/redeem-texts/fr.ts';
import { LANGUAGES } from '../../packages/web/src/lib/redeem-texts/index.ts';
import { ja } from '../../packages/web/src/lib/redeem-texts/ja.ts';

const page = { de, en, es, fr, ja };

it('explains why a download is refused in the languages, and in the words, of the redemption page', () => {
  expect([...pageLanguages].sort()).toEqual([...LANGUAGES].sort());
  for (const language of LANGUAGES) {
    const { title, requestHelp } = pageTexts[language];
    const { linkTitle, suspendedText, limitText, requestHelp: help } = page[language];
    expect([title.link, title.suspended, title.limit, requestHelp]).toEqual([
      linkTitle,
      suspendedText,
      limitText,
      help,
    ]);
  }
});
