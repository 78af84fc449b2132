import type { Noun } from '#define/command.ts';
import { billingAddCard } from './add-card.ts';
import { billingCard } from './card.ts';
import { billingConfirmPayment } from './confirm-payment.ts';
import { billingExportInvoice } from './export-invoice.ts';
import { billingGraph } from './graph.ts';
import { billingHistory } from './history.ts';
import { billingInvoice } from './invoice.ts';
import { billingInvoices } from './invoices.ts';
import { billingRemoveCard } from './remove-card.ts';
import { billingStatus } from './status.ts';
import { billingSummary } from './summary.ts';
import { billingUsage } from './usage.ts';

export const billing: Noun = {
  name: 'billing',
  about: 'What you pay, and the card that is charged',
  commands: [
    billingStatus,
    billingUsage,
    billingSummary,
    billingGraph,
    billingHistory,
    billingInvoices,
    billingInvoice,
    billingExportInvoice,
    billingConfirmPayment,
    billingCard,
    billingAddCard,
    billingRemoveCard,
  ],
};
