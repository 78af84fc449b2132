import type { Readable } from 'node:stream';
import { type Clock, DAY } from '#platform/clock.ts';
import { isId } from '#platform/ids.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { Logger } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics/metrics.ts';
import { holdOf } from '#platform/operations/restores.ts';
import type { PaymentInvoice, Payments } from '#platform/payments/payments.ts';
import type { Random } from '#platform/random.ts';
import type { Exports } from '#platform/spool/exports.ts';
import type { CollectionHold } from '../collection/collection-hold.service.ts';
import { isFor } from '../collection/collection-rules.ts';
import type { BillingDb } from '../tables.ts';
import {
  forgotten,
  NO_INVOICE,
  otherDeveloper,
  otherStatus,
  otherTotal,
  severalInvoices,
  stranger,
} from './difference-words.ts';
import {
  countDifferences,
  type Difference,
  differencesExport,
  listDifferences,
  saveDifferences,
} from './differences.queries.ts';
import type { ListBillingDifferencesQuery } from './differences.schemas.ts';
import { forgetRuns, lastRuns, saveRun } from './runs.queries.ts';
import { againstLedger, type Comparable, countCompared, statementsToCompare } from './statements.queries.ts';

export const reconcileJob = jobKind({
  name: 'reconcile-billing',
  cron: '35 5 * * *',
  retryLimit: 3,
  retryDelay: 600,
  expireInSeconds: 3600,
});

interface Dependencies {
  db: BillingDb;
  clock: Clock;
  exports: Exports;
  log: Logger;
  metrics: Metrics;
  random: Random;
  payments: Payments | null;
  hold: CollectionHold;
}

/** A statement is collected or given up within 30 days. */
const BACK = 40 * DAY;
/** How long runs are remembered. */
const KEPT = 400 * DAY;

interface Report {
  /** How many statements were compared. */
  compared: number;
  /** What differs, in words. */
  differences: string[];
}

/** Compares statements with Stripe's invoices and with the ledger. It reports, and repairs nothing. */
export class Reconciliation {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    deps.metrics.measured(
      {
        name: 'tonerow_billing_differences',
        help: 'Invoices that differed from Stripe or the ledger when they were last compared',
      },
      async () => [[{}, await countDifferences(deps.db)]],
      60_000,
    );
  }

  /** What the last finished run found, and the result of the last run. */
  async list({ page }: ListBillingDifferencesQuery) {
    const { db } = this.#deps;
    const { last, finished } = await lastRuns(db);
    return {
      differences: await listDifferences(db, page),
      total: await countDifferences(db),
      last_run: last,
      last_finished_at: finished?.ran_at ?? null,
      hold: await this.#hold(),
    };
  }

  async #hold() {
    const view = await this.#deps.hold.view();
    if (!view) return null;
    const { since, forgotten: backup_at, reconciled: reconciled_at, due } = view;
    return { since, backup_at, reconciled_at, due: due.count, due_cents: due.cents };
  }

  /** All that {@link list} has on its pages. */
  export(adminId: string, signal: AbortSignal): Promise<Readable> {
    return this.#deps.exports.open(adminId, differencesExport(), signal);
  }

  async run(): Promise<Report> {
    const { db, clock, log, random } = this.#deps;
    try {
      return await this.#run();
    } catch (cause) {
      const run = { ran_at: clock.now(), compared: 0, differences: 0, error: (cause as Error).message };
      // why it failed is worth more than that this could not be noted
      await saveRun(db, random.id(), run).catch((err) => log.error({ err }, 'a failed reconciliation was not noted'));
      throw cause;
    }
  }

  /** Runs of long ago. */
  async expire(): Promise<void> {
    await forgetRuns(this.#deps.db, new Date(this.#deps.clock.now().getTime() - KEPT));
  }

  async #run(): Promise<Report> {
    const { db, clock, log, random, payments } = this.#deps;
    const hold = await holdOf(db);
    // forgotten invoices may be older
    const since = new Date(Math.min(clock.now().getTime() - BACK, (hold?.forgotten.getTime() ?? Infinity) - DAY));
    const atStripe = payments ? await this.#againstStripe(payments, since) : { compared: [], found: [] };
    const found = together([...(await againstLedger(db, since)), ...atStripe.found]);
    const compared = await countCompared(db, since, atStripe.compared);
    await db.work({ tx: true }, async (tx) => {
      await saveDifferences(tx, found, clock.now());
      const differences = await countDifferences(tx);
      await saveRun(tx, random.id(), { ran_at: clock.now(), compared, differences, error: null });
    });
    for (const { developerId, statementId, invoiceId, words } of found)
      log.error({ developer: developerId, statement: statementId, invoice: invoiceId, words }, 'billing differs');
    const words = found.map(
      (each) => `${each.number ?? '–'} ${each.statementId} ${each.invoiceId ?? '–'}: ${each.words}`,
    );
    return { compared, differences: words };
  }

  async #againstStripe(payments: Payments, since: Date): Promise<{ compared: string[]; found: Difference[] }> {
    const invoices = new Map<string, PaymentInvoice[]>();
    for await (const invoice of payments.invoicesSince(since)) {
      const same = invoices.get(invoice.statementId ?? '') ?? [];
      invoices.set(invoice.statementId ?? '', [...same, invoice]);
    }
    const found: Difference[] = [];
    const statements = await statementsToCompare(this.#deps.db, since, [...invoices.keys()].filter(isId));
    const known = new Map(statements.map((statement) => [statement.id, statement]));
    for (const [id, own] of invoices) found.push(...strangers(id, own, known.get(id), statements));
    for (const statement of statements) {
      const own = invoices.get(statement.id) ?? [];
      const stored = own.find((each) => each.id === statement.stripe_invoice_id);
      const late = stored ?? (statement.stripe_invoice_id ? await payments.invoice(statement.stripe_invoice_id) : null);
      const words = differs(statement, own, late);
      if (words)
        found.push({
          developerId: statement.developer_id,
          statementId: statement.id,
          number: statement.number,
          invoiceId: late?.id ?? null,
          words,
        });
    }
    return { compared: statements.map(({ id }) => id), found };
  }
}

/** Merges the differences of one statement, from the ledger and at Stripe, into one. */
function together(found: readonly Difference[]): Difference[] {
  const all = new Map<string, Difference>();
  for (const each of found) {
    const key = `${each.developerId} ${each.statementId}`;
    const before = all.get(key);
    const words = before ? `${before.words} ${each.words}` : each.words;
    all.set(key, { ...each, invoiceId: each.invoiceId ?? before?.invoiceId ?? null, words });
  }
  return [...all.values()];
}

/** Invoices at Stripe that carry our ids, and are for nothing that is here. Nobody can pay one that is void. */
function strangers(
  id: string,
  own: readonly PaymentInvoice[],
  statement: Comparable | undefined,
  statements: readonly Comparable[],
): Difference[] {
  return own.flatMap((invoice) => {
    const developerId = invoice.developerId ?? '';
    if (!isId(id) || !isId(developerId) || statement?.developer_id === developerId || invoice.status === 'void')
      return [];
    const anew = statements.find((each) => isFor(invoice, each));
    const reason = anew && (anew.state === 'rated' || unfinished(anew)) ? forgotten(invoice, anew) : stranger(invoice);
    const words = statement ? otherDeveloper(statement.developer_id) : reason;
    return [{ developerId, statementId: id, number: statement?.number ?? null, invoiceId: invoice.id, words }];
  });
}

/** The expected status at Stripe for each state of a statement, once no process works on it. */
const EXPECTED: Record<string, readonly PaymentInvoice['status'][]> = {
  invoiced: ['draft', 'open'],
  open: ['open'],
  failed: ['open'],
  paid: ['paid'],
  uncollectible: ['uncollectible'],
  void: ['void'],
};

const unfinished = ({ state }: Comparable) => state === 'invoiced' || state === 'open' || state === 'failed';

function differs(statement: Comparable, own: readonly PaymentInvoice[], invoice: PaymentInvoice | null): string | null {
  const living = own.filter(({ status }) => status !== 'void');
  if (living.length > 1) return severalInvoices(living.length);
  const expected = EXPECTED[statement.state];
  if (statement.busy || !expected) return null;
  if (!invoice) return statement.stripe_invoice_id ? NO_INVOICE : null;
  if (invoice.status !== 'draft' && invoice.total !== statement.total_cents)
    return otherTotal({ state: statement.state, total: statement.total_cents }, invoice);
  if (statement.taken_up && unfinished(statement) && invoice.status === 'uncollectible') return null;
  return expected.includes(invoice.status) ? null : otherStatus(statement.state, invoice.status);
}
