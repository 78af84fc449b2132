import type { TestClock } from '../../packages/server/src/platform/clock.ts';
import { openBeside } from './beside.ts';
import { billingScene, plantStatement } from './billing.ts';
import { type Person, signUpVerified } from './http.ts';
import { startServer } from './server.ts';
import { startStripe } from './stripe/stand-in.ts';

/** A server with the stand-in for Stripe. Its jobs run nowhere: what they do is done by a test, on the worker beside it. */
export async function startCollection(clock: TestClock) {
  const stripe = await startStripe({ now: () => clock.now() });
  const server = await startServer({ overrides: { clock }, env: { ...stripe.env, TONEROW_ROLE: 'api' } });
  const worker = await openBeside({ server, clock, env: stripe.env });
  return {
    clock,
    stripe,
    server,
    worker,
    async stop() {
      await worker.close();
      await server.stop();
      stripe.stop();
    },
  };
}

export type Collecting = Awaited<ReturnType<typeof startCollection>>;

/** Developers with cards, statements that are collected, and their state here and at Stripe. */
export function collectionScene(scene: () => Collecting) {
  const cards = billingScene(scene);
  const invoicesFor = (id: string) =>
    [...scene().stripe.store.invoices.values()].filter(({ metadata }) => metadata.statement_id === id);
  return {
    ...cards,
    collect: () => scene().worker.deps.collection.run(),
    stateOf: async (id: string) => {
      const [row] = await scene().server.db.query<{ state: string; attempts: number; next: Date | null }>(
        'select state, attempts, next_attempt_at as next from billing_statements where id = $1',
        [id],
      );
      return row;
    },
    ownerOf: async (id: string) => {
      const [row] = await scene().server.db.query<{ owner: string }>(
        'select developer_id as owner from billing_statements where id = $1',
        [id],
      );
      return row?.owner;
    },
    /** Attempt, action and status of each line, oldest first. */
    logOf: async (id: string) => {
      const rows = await scene().server.db.query<{ line: string }>(
        "select concat_ws(' ', attempt, action, status) as line from billing_logs where statement_id = $1 order by created_at, attempt",
        [id],
      );
      return rows.map(({ line }) => line);
    },
    invoicesFor,
    chargesFor: (id: string) => {
      const own = new Set(invoicesFor(id).map((invoice) => invoice.id));
      return scene().stripe.store.charges.filter(({ invoice }) => own.has(invoice));
    },
    /** Subjects, oldest first. */
    emailsTo: async (person: Person) => {
      const rows = await scene().server.db.query<{ subject: string }>(
        'select subject from mails where recipient = $1 order by created_at, id',
        [person.email],
      );
      return rows.map(({ subject }) => subject);
    },
    /** A developer who owes for a month. @param token of the card, or `none`. */
    owing: async (token?: string, amounts = [1000, 55], month = '2026-02-01') => {
      const ada = await signUpVerified(scene().server);
      const card = token === 'none' ? undefined : await cards.addCard(ada, token);
      return { ada, card, id: await plantStatement(scene().server.db, ada, { amounts, month }) };
    },
  };
}
