import { DAY } from '../clock.ts';
import type { Logger } from '../log.ts';
import { VERSION } from '../version.ts';

const TIMEOUT = 5000;

/**
 * The newest release, as package registries, forges and our own `latest.json` announce it; null when there is none in the answer.
 * @throws {Error} when nobody answers, or not with JSON.
 */
export async function newestRelease(feed: string): Promise<string | null> {
  const answer = await fetch(feed, {
    signal: AbortSignal.timeout(TIMEOUT),
    headers: { accept: 'application/json', 'user-agent': `tonerow-server/${VERSION}` },
  });
  return answer.ok ? releaseIn(await answer.json()) : null;
}

function releaseIn(document: unknown): string | null {
  const { version, tag_name: tag } = (document ?? {}) as { version?: unknown; tag_name?: unknown };
  const named = [version, tag].find((each) => typeof each === 'string');
  return /^v?(\d+\.\d+\.\d+)$/.exec((named as string) ?? '')?.[1] ?? null;
}

/** Whether one release is later than another. */
export function isNewer(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number)) as [number[], number[]];
  const at = a.findIndex((part, index) => part !== b[index]);
  return at !== -1 && (a[at] as number) > (b[at] as number);
}

/** What to do about a newer release. */
export const HOW_TO_UPGRADE = 'See “Upgrading and rolling back” in docs/operations.md.';

/** Looks for a newer release at once and then every day. Returns what ends it. */
export function watchReleases(feed: string, log: Logger, every = DAY): () => void {
  const look = releaseCheck(feed, log);
  look();
  const timer = setInterval(look, every);
  timer.unref();
  return () => clearInterval(timer);
}

/** Looks once, and reports in the log what it has not reported yet. */
export function releaseCheck(feed: string, log: Logger): () => Promise<void> {
  let reported = VERSION;
  return async () => {
    try {
      const newest = await newestRelease(feed);
      if (!newest) return log.warn({ feed }, 'TONEROW_RELEASE_FEED names no release');
      if (!isNewer(newest, reported)) return;
      reported = newest;
      log.warn(`Version ${newest} is available, and this is ${VERSION}. ${HOW_TO_UPGRADE}`);
    } catch (error) {
      log.warn({ err: error, feed }, 'TONEROW_RELEASE_FEED does not answer');
    }
  };
}
