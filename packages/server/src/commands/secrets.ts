import { besideServer } from '../beside-server.ts';
import type { Deps } from '../deps.ts';
import { forgetOldProbes, listSecrets } from '../secrets/secrets-check.ts';
import { forgetSecrets } from '../secrets/secrets-forget.ts';
import { resealAll } from '../secrets/secrets-rotation.ts';
import type { Call } from './surroundings.ts';

/** `secrets list`, `secrets forget FINGERPRINT…`, `secrets rotate` */
export async function secrets(call: Call): Promise<number | null> {
  const { action, subjects, env, out } = call;
  if (action === 'rotate') return besideServer((deps) => rotate(deps, call), { env });
  if (action === 'forget' && subjects.length > 0) return besideServer((deps) => forget(deps, call), { env });
  if (action !== 'list') return null;
  return besideServer(
    async ({ db, secrets: set }) => {
      out(`${(await listSecrets(db, set)).join('\n')}\n`);
      return 0;
    },
    { env },
  );
}

async function rotate(deps: Deps, { out, err }: Call): Promise<number> {
  const results = await resealAll(deps.db, deps.secrets);
  for (const { table, column, resealed } of results) out(`${table}.${column}: ${resealed} sealed again\n`);
  const unreadable = results.filter((result) => result.unreadable > 0);
  for (const { table, unreadable: count } of unreadable) {
    err(`${table}: ${count} cannot be opened with the secrets that are set\n`);
  }
  if (unreadable.length > 0) return 1;
  await forgetOldProbes(deps.db, deps.secrets);
  return 0;
}

async function forget(deps: Deps, { subjects, out, err }: Call): Promise<number> {
  const losses = await forgetSecrets(deps, subjects);
  for (const { what, count } of losses ?? []) out(`${count} ${what}\n`);
  if (losses) return 0;
  err('Name all secrets that are missing, and no others. See: tonerow-server secrets list\n');
  return 1;
}
