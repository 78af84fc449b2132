import { refusedMonth } from '#features/closing';
import { systemClock } from '#platform/clock.ts';
import { money } from '#platform/paper/words.ts';
import { besideServer } from '../beside-server.ts';
import type { Deps } from '../deps.ts';
import { ON_HOLD } from './backups.ts';
import { type Call, USAGE_ERROR } from './surroundings.ts';

/** `close-month [--month YYYY-MM] [--dry-run]` */
export async function closeMonth(call: Call): Promise<number | null> {
  const { action, options, env, err } = call;
  if (action) return null;
  const { month } = options;
  const refused = month === undefined ? undefined : refusedMonth(month, systemClock.now());
  if (refused === undefined) return besideServer((deps) => closeMonths(deps, call), { env });
  err(`${refused}\n`);
  return USAGE_ERROR;
}

async function closeMonths(deps: Deps, { options, out, err }: Call): Promise<number> {
  const { month, 'dry-run': dryRun = false } = options;
  // the emails about statements are queued with them
  await deps.jobs.start({ work: false });
  const { months, statements, failed, collected } = await closeAndCollect(deps, month, dryRun).finally(() =>
    deps.jobs.stop(),
  );
  out(
    `${dryRun ? 'Would close' : 'Closed'} ${months} months of developers, with ${statements.payout} payout statements and ${statements.billing} billing statements.\n`,
  );
  if (failed > 0) err(`${failed} could not be closed. See the log; the next run tries them again.\n`);
  if (!collected) return failed > 0 ? 1 : 0;
  if (collected.onHold) {
    err('Nothing is charged since the database was set back. See: tonerow-server collection\n');
    return 1;
  }
  out(`Collected ${collected.paid} invoices.\n`);
  const uncollected = collected.failed + collected.later;
  if (uncollected > 0)
    err(`${collected.failed} could not be charged, and ${collected.later} are tried again by the next run.\n`);
  const { held } = collected;
  if (held.until)
    err(
      `${held.count} ${held.count === 1 ? 'is' : 'are'} in the hands of another run. If that was killed, a run after ${held.until.toISOString().slice(0, 16).replace('T', ' ')} UTC collects them.\n`,
    );
  return failed + uncollected + held.count > 0 ? 1 : 0;
}

async function closeAndCollect(deps: Deps, month: string | undefined, dryRun: boolean) {
  const closed = await deps.closings.run({ through: month, dryRun });
  // a command ends when nothing is left, however long that takes
  const collected = dryRun || !deps.payments ? undefined : await deps.collection.run(Number.POSITIVE_INFINITY);
  return { ...closed, collected };
}

/** `reconcile` */
export async function reconcile({ action, env, out }: Call): Promise<number | null> {
  if (action) return null;
  return besideServer(
    async (deps) => {
      const { compared, differences } = await deps.reconciliation.run();
      for (const words of differences) out(`${words}\n`);
      const what = `${compared} ${compared === 1 ? 'invoice' : 'invoices'} compared`;
      out(differences.length === 0 ? `${what}. Nothing differs.\n` : `${what}.\n`);
      if (await deps.collectionHold.current())
        out('Nothing is charged until you run: tonerow-server collection release\n');
      return differences.length > 0 ? 1 : 0;
    },
    { env },
  );
}

/** `collection`, `collection release`, `collection hold --since TIME` */
export async function collection(call: Call): Promise<number | null> {
  const { action, subjects, options, env, out } = call;
  if (subjects.length > 0) return null;
  if (action === undefined) return besideServer((deps) => show(deps, call), { env });
  if (action === 'release')
    return besideServer(
      async ({ collectionHold }) => {
        await collectionHold.release();
        out(
          'Invoices are charged again: by the next hourly run, or now by tonerow-server close-month. Reconcile once more after it.\n',
        );
        return 0;
      },
      { env },
    );
  const since = Date.parse(options.since ?? '');
  if (action !== 'hold' || Number.isNaN(since)) return null;
  return besideServer(
    async ({ collectionHold }) => {
      await collectionHold.begin(new Date(since));
      out(ON_HOLD);
      return 0;
    },
    { env },
  );
}

const minute = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

async function show({ collectionHold }: Deps, { out }: Call): Promise<number> {
  const view = await collectionHold.view();
  if (!view) {
    out('Invoices are charged when they are due.\n');
    return 0;
  }
  const { since, forgotten, reconciled, due } = view;
  out(
    `Nothing is charged since ${minute(since)}, when the database was set back to ${minute(forgotten)}.\n` +
      `${due.count} ${due.count === 1 ? 'invoice' : 'invoices'} over ${money(due.cents)} ${due.count === 1 ? 'is' : 'are'} due; those that Stripe has a payment of are not charged again.\n` +
      (reconciled
        ? `Last reconciled at ${minute(reconciled)}. To charge again: tonerow-server collection release\n`
        : 'Not reconciled since. Look first: tonerow-server reconcile\n'),
  );
  return 1;
}
