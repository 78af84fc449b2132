import { defineCommand } from '#define/define-command.ts';
import { amount, number, required, text } from '#define/option-types.ts';
import { findSoldProductId } from '#input/find-by-name.ts';

export const dealsRequest = defineCommand({
  path: 'deals request',
  summary: 'Ask a developer for serials at a special price',
  operations: ['requestDeal'],
  once: true,
  options: {
    product: required(
      text('<product>', 'id or name, from "tonerow deals products"'),
      'Specify the product: --product PRODUCT.',
    ),
    price: required(amount('<amount>', 'dollars'), 'Specify the price: --price AMOUNT.'),
    quantity: required(number('<n>', 'how many serials'), 'Specify how many serials: --quantity N.'),
    saleFrom: text('<date>', 'first day of the sale, such as 2027-01-31'),
    saleUntil: text('<date>', 'last day of the sale'),
    redeemBy: text('<date>', 'last day on which customers can redeem'),
    note: text('<text>', 'a note for the developer'),
  },
  examples: ['tonerow deals request --product "Prism Delay" --price 29 --quantity 500 --sale-until 2027-01-31'],
  async run({ context, options }) {
    const { product, price, quantity, saleFrom, saleUntil, redeemBy, note } = options;
    const api = await context.api();
    const request = await api.requestDeal(
      {
        body: {
          product_id: await findSoldProductId(api, product, context.io.signal),
          price,
          quantity,
          promo_start: saleFrom,
          promo_expires: saleUntil,
          expires_at: redeemBy,
          note,
        },
      },
      context.call,
    );
    await context.print(request, `${request.id}\n`);
    context.note(`Sent to ${request.developer_name}.`);
  },
});
