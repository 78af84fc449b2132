import { defineCommand } from '#define/define-command.ts';

export const licenseJwks = defineCommand({
  path: 'license jwks',
  summary: 'The public keys that verify validation tokens',
  operations: ['getLicenseKeys'],
  args: [['[developer]', 'a developer’s id; yours by default']],
  examples: ['tonerow license jwks', 'tonerow license jwks 01900000-0000-7000-8000-000000000002'],
  async run({ context, args: [developer] }) {
    const dev = developer ?? (await (await context.api()).getMe({}, context.call)).id;
    const keys = await (await context.client()).getLicenseKeys({ query: { dev } }, context.call);
    await context.print(keys, `${JSON.stringify(keys, null, 2)}\n`);
  },
});
