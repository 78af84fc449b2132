import type { MonthCloser } from '#features/closing';
import { listOf } from '#platform/db/statements/list-index.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { tellCreated } from '../notices/payout-webhooks.ts';
import { statementsMadeJob } from '../notices/statement-notices.service.ts';
import { closeStatements } from './close-statements.ts';

/** Seconds. Redemptions of a developer wait while a month is closed; nobody waits for a seal or an email. */
const AFTER_THE_OTHERS = 5;

/** Makes the payout statements of a month, and what announces them. */
export const payoutCloser =
  (jobs: Jobs): MonthCloser =>
  async (sql, { developerIds, month, now, more }) => {
    // most developers have no resellers, and the statements' own query is a large one
    const partners = await sql.query<{ id: string }>(
      `select d.id from unnest($1::uuid[]) d (id)
       where exists (select 1 from partnerships p where p.developer_id = d.id and ${listOf('p')})`,
      [developerIds],
    );
    if (partners.length === 0) return new Map();
    const ids = partners.map(({ id }) => id);
    const closed = await closeStatements(sql, ids, month, now);
    const made = [...closed.keys()];
    await tellCreated(sql, made, month, now);
    const announced = made.map((developerId) => ({ developerId, month }));
    await jobs.enqueueAll(sql, statementsMadeJob, announced, { delay: more ? AFTER_THE_OTHERS : 0 });
    return new Map([...closed].map(([id, { statements, credit }]) => [id, { made: statements, opensNext: credit }]));
  };
