import { seedLedger } from '../../scripts/bench/seeds/seed.ts';
import { addDeveloper, keepStatistics, openPlanDatabase } from './plan-rows.ts';

const [known, unknown] = ['01980000-0000-7000-8000-000000000001', '01980000-0000-7000-8000-000000000002'] as const;

/** Two accounts with as many serials: the statistics know the first one, and nothing yet of the other. */
export async function openBesideKnown(serials: number) {
  const database = await openPlanDatabase();
  const { db } = database;
  await keepStatistics(db, ['customers', 'serials', 'batches', 'products']);
  for (const [mark, id] of [known, unknown].entries()) {
    await addDeveloper(db, id);
    await seedLedger(db, id, serials, mark + 1, 0, id === known);
    if (id === known) await db.query('analyze');
  }
  await db.query('update customers set last_login_at = created_at');
  return { ...database, unknown };
}
