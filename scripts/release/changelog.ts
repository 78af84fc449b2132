/** Reading and writing of CHANGELOG.md: a heading for each release, the newest first, and one for what has none yet. */

const UNRELEASED = '## Unreleased';
const RELEASED = /^## (\d+\.\d+\.\d+), (\d{4}-\d{2}-\d{2})$/;

export interface Release {
  version: string;
  day: string;
}

/** The releases of a changelog, as its headings have them. @throws {Error} at a heading that is neither. */
export function releasesIn(changelog: string): Release[] {
  return changelog
    .split('\n')
    .filter((line) => line.startsWith('## ') && line !== UNRELEASED)
    .map((line) => {
      const [, version, day] = RELEASED.exec(line) ?? [];
      if (!version || !day) throw new Error(`CHANGELOG.md: "${line}" is not "## X.Y.Z, YYYY-MM-DD".`);
      return { version, day };
    });
}

/** The changes since the last release. @throws {Error} without that heading. */
export function unreleased(changelog: string): string {
  const lines = changelog.split('\n');
  const at = lines.indexOf(UNRELEASED);
  if (at === -1) throw new Error(`CHANGELOG.md has no heading "${UNRELEASED}".`);
  const next = lines.findIndex((line, index) => index > at && line.startsWith('## '));
  return lines
    .slice(at + 1, next === -1 ? lines.length : next)
    .join('\n')
    .trim();
}

/** The changelog once that is released, with what can be known only then at the end of its part. */
export function released(changelog: string, { version, day }: Release, ...notes: string[]): string {
  const text = unreleased(changelog);
  const before = changelog.slice(0, changelog.indexOf(UNRELEASED));
  const after = changelog.slice(changelog.indexOf(text, before.length) + text.length);
  const part = [`## ${version}, ${day}`, text, ...notes].filter((each) => each !== '').join('\n\n');
  return `${before}${UNRELEASED}\n\n${part}${after}`;
}

/**
 * The changes that callers have to make: promises of the API's previous version that this one does not keep, with their
 * notes (decision 0116).
 */
export function brokenPromises(notes: Readonly<Record<string, string>>, version: string): string {
  const lines = Object.entries(notes).map(([change, note]) => `- **Change:** \`${change}\`: ${note}`);
  return lines.length === 0 ? '' : [`### API ${version}, which replaces the one before`, '', ...lines].join('\n');
}

/** A warning for operators before they install a release: past these migrations, only a backup leads back. */
export const backOnlyByBackup = (migrations: readonly string[]): string =>
  migrations.length === 0
    ? ''
    : `### Rolling back\n\n- The release before cannot live with ${migrations.length === 1 ? 'this migration' : 'these migrations'}, so that only a backup leads back: ${migrations.map((name) => `\`${name}\``).join(', ')}.`;

/** Whether one version is later than another. */
export function isLater(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number)) as [number[], number[]];
  const at = a.findIndex((part, index) => part !== b[index]);
  return at !== -1 && (a[at] as number) > (b[at] as number);
}
