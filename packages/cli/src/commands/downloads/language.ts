import { previewCustomerEmailLanguage } from '@tonerow/sdk/values';
import { choice } from '#define/option-types.ts';

export const LANGUAGES = previewCustomerEmailLanguage;

/** The customer's language; English if it is unknown. */
export const LANGUAGE = {
  language: choice('<language>', 'of the emails to the customer', { values: LANGUAGES }),
};
/** The language of an email about a sale by hand. */
export const EMAIL_LANGUAGE = {
  language: choice('<language>', 'of the email, where the customer’s own is not known: en, de, fr, es or ja', {
    values: LANGUAGES,
  }),
};
