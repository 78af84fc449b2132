import { listOf } from '../../../platform/db/list-index.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { MonthCloser } from '../../closing/index.ts';
import { tellCreated } from '../notices/payout-webhooks.ts';
import { statementsMadeJob } from '../notices/statement-notices.service.ts';
import { closeStatements } from './close-statements.ts';

/** Makes the payout statements of a month, and what announces them. */
export const payoutCloser =
  (jobs: Jobs): MonthCloser =>
  async (sql, { developerId, month, now }) => {
    // most developers have no resellers, and the statements' own query is a large one
    const partners = await sql.query(
      `select 1 from partnerships p where p.developer_id = $1 and ${listOf('p')} limit 1`,
      [developerId],
    );
    if (partners.length === 0) return { made: 0, opensNext: false };
    const { statements, credit } = await closeStatements(sql, developerId, month, now);
    if (statements > 0) {
      await tellCreated(sql, developerId, month, now);
      await jobs.enqueue(sql, statementsMadeJob, { developerId, month });
    }
    return { made: statements, opensNext: credit };
  };
