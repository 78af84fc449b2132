import type { Example } from './example.ts';

const request = (body: unknown): Example => ({ request: body, answers: {} });
const product_id = '019cd0a0-0000-7000-8000-000000000001';
const partnership = '019cd0a0-0000-7000-8000-0000000000c1';
const token = { token: 'the token of the link' };

/** Requests of developers and resellers to become partners, to make deals and to settle their months. */
export const partnerExamples: Record<string, Example> = {
  inviteResellers: request({ emails: ['ben@pluginshop.example'], commission_rate: 25, message: 'Sell Prism Delay?' }),
  inviteDeveloper: request({ email: 'ada@rowaudio.example', message: 'We would like to sell Prism Delay.' }),
  previewInvite: request(token),
  followInvite: request(token),
  respondToInvite: request({ invite_id: '019cd0a0-0000-7000-8000-0000000000c2', response: 'accept' }),
  changeReseller: request({ commission_rate: 30, low_stock_threshold: 25 }),
  mergeReseller: request({ into: partnership, dry_run: true }),
  messageReseller: request({ message: 'The spring promo starts on Monday.' }),
  requestDeal: request({
    product_id,
    price: 49,
    quantity: 200,
    promo_start: '2026-04-01',
    promo_expires: '2026-04-30',
    note: 'For our spring sale.',
  }),
  declineDealRequest: request({ reason: 'The summer sale has these already.' }),
  markPayoutPaid: request({ amount: 343, paid_on: '2026-03-15', method: 'SEPA', reference: '2026-0007' }),
  reversePayoutPayment: request({ reason: 'The bank returned it.' }),
  disputePayout: request({ reason: 'Two of the redemptions were refunded.' }),
  answerPayoutDispute: request({ text: 'They are refunds of next month’s statement.' }),
};
