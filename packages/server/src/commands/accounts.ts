import { passphraseIn } from '../account-restore/passphrase.ts';
import { restoreAccount } from '../account-restore/restore.ts';
import { besideServer } from '../beside-server.ts';
import type { Deps } from '../deps.ts';
import { features } from '../features.ts';
import type { Call } from './surroundings.ts';

/** `account restore FILE --passphrase-file FILE` */
export async function account({ action, subjects: [file], options, env, out }: Call): Promise<number | null> {
  const { 'passphrase-file': from } = options;
  if (action !== 'restore' || !file || from === undefined) return null;
  const passphrase = await passphraseIn(from);
  return besideServer(
    async (deps) => {
      const done = await restoreAccount({ ...deps, file, passphrase, sealed: features.sealed });
      const { email, plan, rows, files, absent, skipped } = done;
      out(`${email}, on the plan "${plan}": ${rows} rows and ${files} files.\n`);
      if (absent > 0) out(`Resellers who have no account here: ${absent}. Their partnerships are ended.\n`);
      if (skipped.length > 0) out(`This version does not have: ${skipped.join(', ')}.\n`);
      return 0;
    },
    { env },
  );
}

/** `admin grant EMAIL`, `admin revoke EMAIL` */
export async function admin(call: Call): Promise<number | null> {
  const { action, subjects, env } = call;
  const [email] = subjects;
  if ((action !== 'grant' && action !== 'revoke') || !email) return null;
  return besideServer((deps) => setAdmin(deps, email, action === 'grant', call), { env });
}

async function setAdmin(deps: Deps, email: string, granted: boolean, { out, err }: Call): Promise<number> {
  const found = await deps.accounts.setAdmin(email, granted);
  if (!found) {
    err(`There is no account with the address ${email}.\n`);
    return 1;
  }
  out(`${email} is ${granted ? 'now' : 'no longer'} an admin.\n`);
  if (granted && !found.verified) {
    err(
      'Nobody has verified this address yet. If you did not create the account yourself, revoke this: somebody else may have.\n',
    );
  }
  return 0;
}
