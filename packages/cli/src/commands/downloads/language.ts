import { previewCustomerEmailLanguage } from '@tonerow/sdk/values';
import { choice } from '#define/option-types.ts';

export const LANGUAGES = previewCustomerEmailLanguage;

/** The customer's language; English if it is unknown. */
export const LANGUAGE = {
  language: choice('<language>', 'of the emails to the customer', { values: LANGUAGES }),
};
