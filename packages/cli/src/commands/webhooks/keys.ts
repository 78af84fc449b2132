import { defineCommand } from '#define/define-command.ts';

export const webhooksKeys = defineCommand({
  path: 'webhooks keys',
  summary: 'Show the public keys that verify your v1a signatures',
  operations: ['getWebhookKeys', 'getMe'],
  // the set of keys stays whole, for libraries that take it
  shows: [],
  fields: ['keys'],
  examples: ['tonerow webhooks keys --json'],
  async run({ context }) {
    const api = await context.api();
    const { id } = await api.getMe({}, context.call);
    const jwks = await api.getWebhookKeys({ path: { id } }, context.call);
    const nothing = 'No key yet: it is made with the first webhook that is signed by v1a.\n';
    const lines = jwks.keys.map(({ kid, x }) => `${kid}  whpk_${Buffer.from(x, 'base64url').toString('base64')}\n`);
    await context.print(jwks, lines.join('') || nothing);
  },
});
