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
      );
    // the log of the job must not show it, whatever becomes of it
    if (context.io.env.GITHUB_ACTIONS === 'true') context.io.stderr.write(`::add-mask::${token}\n`);
    await context.print({ token }, `${token}\n`);
  },
});
