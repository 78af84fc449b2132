import type { InputOf } from '@tonerow/sdk';
import { choice, everyOf } from '#define/option-types.ts';

type Language = NonNullable<InputOf<'initiateRedemption'>['body']['language']>;

export const LANGUAGES = everyOf<Language>({ en: 0, de: 0, fr: 0, es: 0, ja: 0 });

/** What a customer reads; in English for those of whom nothing is known. */
export const LANGUAGE = {
  language: choice('<language>', 'of the emails to the customer', { values: LANGUAGES }),
};
