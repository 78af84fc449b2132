import { execaSync } from 'execa';
import { describe, expect, it } from 'vitest';

/** Subjects of earlier commits are as they are. */
const BASE = '4812e077e601580c4d9f60d221be690c2f02999d';

/** The mistakes in a subject. CONTRIBUTING wants `area: what`, at most 72 characters. */
function wrongIn(subject: string): string[] {
  if (/^(?:Merge|Revert) /.test(subject)) return [];
  const short = subject.length <= 72 ? [] : [`${subject.length} characters, at most 72`];
  return /^[^:]{2,40}: \S/.test(subject) ? short : ['no area before the colon', ...short];
}

/** Null where the history is not here: in an archive, or a clone that was cut off after the base. */
function subjects(): string[] | null {
  const { stdout, failed } = execaSync('git', ['log', '--format=%s', `${BASE}..HEAD`], { lines: true, reject: false });
  return failed ? null : stdout;
}

describe('subjects of commits', () => {
  const found = subjects();
  it.skipIf(found === null)(`are "area: what" since the base${found === null ? ' (no history here)' : ''}`, () => {
    const wrong = (found ?? []).flatMap((subject) => wrongIn(subject).map((why) => `${why}: ${subject}`));
    expect(wrong).toEqual([]);
  });

  it.each([
    'Fixes the price',
    'products: a price that is long enough to need more than one line of a log is no subject',
    ': nothing before it',
  ])('are refused, such as “%s”', (subject) => {
    expect(wrongIn(subject)).not.toEqual([]);
  });

  it.each(['products: a price may be null', 'emails, notifications: one word each', 'Revert "products: a price"'])(
    'are fine, such as “%s”',
    (subject) => expect(wrongIn(subject)).toEqual([]),
  );
});
