import { defineCommand } from '#define/define-command.ts';
import { NotSignedIn } from '#exit.ts';

export const trustToken = defineCommand({
  path: 'trust token',
  summary: 'Print the access token of this CI job, for other programs',
  operations: ['exchangeIdentityToken'],
  shows: [],
  fields: ['token'],
  examples: ['tonerow trust token'],
  async run({ context }) {
    const { token, source } = await context.credential();
    if (source !== 'TONEROW_TRUST')
      throw new NotSignedIn(
        `This is for CI jobs that sign in by TONEROW_TRUST. Here the credential is from ${source}.`,
        'Set TONEROW_TRUST to the id of a trust, and unset TONEROW_TOKEN.',
      );
    context.mask(token);
    await context.print({ token }, `${token}\n`);
  },
});
