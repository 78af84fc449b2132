import { listInvoicesState } from '@tonerow/sdk/values';
import { number, oneOf } from '#lib/navigation/search-params.ts';

/** The parameters that the list of invoices keeps in its address. */
export const invoiceSearch = {
  state: oneOf(listInvoicesState),
  year: number((year) => year >= 2000 && year <= 9999),
};
