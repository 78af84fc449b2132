import { analyzePartitioned } from '#platform/db/partitions/statistics.ts';
import { warnOfUnfinished } from '#platform/db/partitions/unfinished.ts';
import { expireIdempotency } from '#platform/http/idempotency.ts';
import { housekeeping } from '#platform/jobs/housekeeping.ts';
import { createBase, type Overrides, type ReadyConfig } from './base.ts';
import { features } from './features.ts';

export type Deps = Awaited<ReturnType<typeof createDeps>>;

/** The only place where things are put together: the platform, then every feature on top of it. */
export async function createDeps(config: ReadyConfig, overrides: Overrides = {}) {
  const { base, orm, close } = await createBase(config, overrides);
  const { api, all } = features.create(base);
  const own = [
    () => expireIdempotency(base),
    () => base.limits.expire(base.clock.now()),
    () => analyzePartitioned(base.db),
    () => warnOfUnfinished(base.db, base.log),
  ];
  base.events.keepWith(all.flatMap(({ keep }) => keep ?? []));
  base.jobs.register(all.flatMap(({ jobs = [] }) => jobs));
  base.jobs.register([housekeeping([...all.flatMap((feature) => feature.housekeeping ?? []), ...own], base.log)]);
  return {
    ...base,
    ...api,
    config,
    orm,
    features: all,
    async close() {
      await Promise.all(all.map((feature) => feature.close?.()));
      await close();
    },
  };
}
