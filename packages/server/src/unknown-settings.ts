/** Variables with our name that others read: the terminal client, the files of `deploy/`, examples, and the tests. */
const OTHERS = new Set([
  'TONEROW_URL',
  'TONEROW_TOKEN',
  'TONEROW_PROFILE',
  'TONEROW_SHOP_SECRET',
  'TONEROW_SHOP_KEY',
  'TONEROW_SHOP_LICENSE_KEY',
  'TONEROW_TRUST',
  'TONEROW_ID_TOKEN',
  'TONEROW_PROMPT_DISABLED',
  'TONEROW_NO_UPDATE_NOTIFIER',
  'TONEROW_NODE_TRIED',
  'TONEROW_CLI',
  'TONEROW_HOSTNAME',
  'TONEROW_UPSTREAMS',
  'TONEROW_BACKUP_BUCKET',
  'TONEROW_INTERNAL_UPSTREAMS',
  'TONEROW_PLUGIN_KEY',
  'TONEROW_DOWNLOAD_TOKEN',
  'TONEROW_WEBHOOK_SECRET',
]);
/** A job at GitLab names as many as it needs. */
const ID_TOKENS = /^TONEROW_ID_TOKEN_\d+$/;
const TESTS = /^TONEROW_(?:TESTS?|TEST_\w+|SOAK|WHERE|JUCE|CITUS|INLINE_NAMESPACE|NAMESPACE|C_PREFIX|BACKEND)$/;

/** Names of ours have a prefix that is nobody else's; of the others, what is nearly one of them. */
const OWN_PREFIX = 'TONEROW_';
const SHARED_PREFIX = /^(?:S3|SMTP|STRIPE)_/;
/** How many characters of a name may be wrong for it to be taken for another one. */
const NEAR = 4;
const NEAR_ENOUGH_FOR_OTHERS = 2;

/**
 * Settings that are set and that nothing reads, in words, each with the setting that was meant. A misspelled setting
 * has no effect, which is dangerous for a setting that protects something.
 */
export function unknownSettings(env: Record<string, string | undefined>, known: readonly string[]): string[] {
  const names = new Set(known);
  return Object.keys(env)
    .filter((name) => !names.has(name) && !OTHERS.has(name) && !ID_TOKENS.test(name) && !TESTS.test(name))
    .sort()
    .flatMap((name) => complaint(name, known));
}

function complaint(name: string, known: readonly string[]): string[] {
  const [nearest, distance] = nearestOf(name, known);
  if (name.startsWith(OWN_PREFIX)) {
    const meant = distance <= NEAR ? ` Did you mean ${nearest}?` : ' docs/operations.md lists all of them.';
    return [`${name} is set, but is no setting of the server.${meant}`];
  }
  if (!SHARED_PREFIX.test(name) || distance > NEAR_ENOUGH_FOR_OTHERS) return [];
  return [`${name} is set, but is no setting of the server. Did you mean ${nearest}?`];
}

/** The word that was probably meant, and how many letters would have to change. */
export function nearestOf(name: string, known: readonly string[]): [string, number] {
  let best: [string, number] = ['', Number.POSITIVE_INFINITY];
  for (const other of known) {
    const distance = distanceOf(name, other);
    if (distance < best[1]) best = [other, distance];
  }
  return best;
}

/** How many characters have to be added, left out, replaced or swapped with the next one to make one text of the other. */
function distanceOf(a: string, b: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + same,
        swapped ? (before[j - 2] as number) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, row];
  }
  return last[b.length] as number;
}
