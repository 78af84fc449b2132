import { readProfiles, setCurrentProfile } from '#config/store.ts';
import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { table } from '#output/table.ts';

export const profilesCommand = defineCommand({
  path: 'profiles',
  summary: 'List the stored sign-ins, and which one is in use',
  operations: [],
  fields: ['name', 'email', 'url', 'in_use'],
  options: { use: text('<profile>', 'from now on use this one where none is named') },
  examples: ['tonerow profiles', 'tonerow profiles --json name,url', 'tonerow profiles --use work'],
  async run({ context, options }) {
    const { TONEROW_TOKEN: token, TONEROW_PROFILE: named } = context.io.env;
    if (options.use !== undefined) {
      await setCurrentProfile(context.io.env, options.use);
      return context.note(
        `“${options.use}” is in use from now on.${named ? ' Not here: TONEROW_PROFILE names another.' : ''}`,
      );
    }
    const profiles = (await readProfiles(context.io.env)).map(([name, { email, url }]) => ({
      name,
      email: email ?? null,
      url,
      in_use: name === context.profileName && !token,
    }));
    const rows = profiles.map(({ name, email, url, in_use }) => [name, email, url, in_use ? 'in use' : '']);
    const none = 'No stored sign-ins. Make one: tonerow login --profile NAME\n';
    await context.print(profiles, rows.length === 0 ? none : table(['NAME', 'EMAIL', 'SERVER', ''], rows));
    if (token) context.note('TONEROW_TOKEN is set, and used instead of them.');
    else if (rows.length > 0)
      context.note('Use another with --profile NAME or TONEROW_PROFILE, or from now on with --use NAME.');
  },
});
