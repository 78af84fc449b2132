import { holds, type Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { AppError, notFound } from '#platform/errors.ts';
import { toDollars } from '#platform/money.ts';
import { withoutAddresses } from '../addresses.ts';
import { findPlan } from '../assistant/assistant.queries.ts';
import * as q from '../imports.queries.ts';
import { shownTo } from '../imports.service.ts';
import { readScopes } from '../kinds.ts';
import type { ImportsDb } from '../tables.ts';
import { hereNow } from './proof.queries.ts';
import type { ImportProof } from './proof.schemas.ts';
import { inWords, isWhole, monthsOf, sumOf } from './proof.ts';

interface Dependencies {
  db: ImportsDb;
  clock: Clock;
}

/** Compares imports with the files that they came from. */
export class Proofs {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Compares the content of the file, the part that was imported, and what of that is here now.
   * @throws {AppError} not_found for an import that has not run in the assistant; insufficient_scope
   */
  async of(caller: Principal, id: string): Promise<ImportProof> {
    const { db, clock } = this.#deps;
    const developerId = caller.accountId;
    const found = await q.findImport(db, developerId, id);
    if (!found) throw notFound('Import');
    const scope = readScopes[found.kind];
    if (!holds(caller, scope))
      throw new AppError('insufficient_scope', `The access token is missing the scope ${scope}.`);
    const kept = (await findPlan(db, { developerId, id }))?.plan.proof;
    if (!kept) throw notFound('Proof');
    const taken = { developerId, importId: id, kind: found.kind, since: found.started_at };
    const here = await hereNow(db, taken, kept.time_zone);
    const sales = kept.file !== null;
    const people = holds(caller, 'customers:read');
    const summary = inWords(kept, here, found.kind);
    return {
      import: shownTo(caller, found),
      at: clock.now(),
      whole: isWhole(kept, here),
      summary: people ? summary : withoutAddresses(summary),
      time_zone: kept.time_zone,
      file: {
        lines: kept.lines,
        amount: kept.file && toDollars(sumOf(kept.file.months)),
        unpriced: kept.file?.unpriced ?? 0,
      },
      imported: { added: kept.added, known: kept.known, rejected: kept.rejected, amount: toDollars(kept.cents) },
      here: {
        count: here.count,
        amount: sales ? toDollars(sumOf(here.months)) : null,
        open: here.open,
        redeemed: here.redeemed,
        revoked: here.revoked,
      },
      months: monthsOf(kept.file, here.months).map(({ month, file_count, file_cents, count, cents }) => ({
        ...{ month, file_count, file_amount: toDollars(file_cents) },
        ...{ count, amount: toDollars(cents) },
      })),
      reasons: people ? kept.reasons : kept.reasons.map((each) => ({ ...each, reason: withoutAddresses(each.reason) })),
    };
  }
}
