/** Port: whether this process may take traffic now; the reason when not. */
export type Readiness = () => Promise<{ ready: boolean; reason?: string }>;
/** Port: what an operator should look at, although this process can take traffic. */
export type Warnings = () => Promise<string[]>;

/** The response of `/startupz`: whether the start is over, for those who wait for it. */
export function startedAnswer(isStarted: boolean) {
  return isStarted
    ? { code: 200 as const, body: { status: 'started' } }
    : { code: 503 as const, body: { status: 'starting' } };
}

/** The response of `/readyz`, on whichever port it is requested. */
export async function readyAnswer(readiness: Readiness, warnings: Warnings) {
  const [{ ready, reason }, found] = await Promise.all([readiness(), warnings()]);
  const more = found.length > 0 ? { warnings: found } : {};
  return ready
    ? { code: 200 as const, body: { status: 'ready', ...more } }
    : { code: 503 as const, body: { status: 'not ready', ...(reason ? { reason } : {}), ...more } };
}
