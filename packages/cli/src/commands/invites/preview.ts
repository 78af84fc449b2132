import type { InvitePreview } from '@tonerow/sdk';
import { defineCommand } from '#define/define-command.ts';
import { givenToken, OR_STDIN } from '#input/given-token.ts';
import { list, money, table } from '#output/table.ts';
import { day } from '#output/zone.ts';

export const invitesPreview = defineCommand({
  path: 'invites preview',
  summary: 'Show who invites, to sell what and for which commission, before you have an account',
  operations: ['previewInvite'],
  args: [['<token>', `from the link in the email, after token=${OR_STDIN}`]],
  examples: ['tonerow invites preview eyJhbGciOiJIUzI1NiJ9.eyJpbnZpdGUiOiIwMTkifQ.c2ln'],
  async run({ context, args: [token] }) {
    const invite = await (await context.api()).previewInvite(
      { body: { token: await givenToken(context, token) } },
      context.call,
    );
    await context.print(invite, `${factsOf(invite)}${productsOf(invite)}`);
  },
});

function factsOf(invite: InvitePreview): string {
  return list([
    ['From', invite.company_name],
    ['Email', invite.email],
    ['Website', invite.website_url],
    ['Commission', `${invite.commission_rate}%`],
    ['State', invite.state],
    ['Expires', day(invite.expires_at)],
  ]);
}

function productsOf({ products, products_total: total }: InvitePreview): string {
  if (products.length === 0) return '';
  const rows = products.map((product) => [product.name, money(product.sale_price ?? product.price)]);
  const more = total - products.length;
  return `\n${table(['PRODUCT', 'PRICE'], rows)}${more > 0 ? `and ${more} more\n` : ''}`;
}
