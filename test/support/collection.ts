import type { openBeside } from './beside.ts';
import { type billingScene, plantStatement } from './billing.ts';
import { type Person, signUpVerified } from './http.ts';
import type { TestServer } from './server.ts';
import type { StripeStandIn } from './stripe/stand-in.ts';

interface Scene {
  server: TestServer;
  stripe: StripeStandIn;
  /** Which collects when it is told to. */
  worker: Awaited<ReturnType<typeof openBeside>>;
  addCard: ReturnType<typeof billingScene>['addCard'];
}

/** Statements that are collected, and what became of them here and at Stripe. */
export function collectionCalls(scene: () => Scene) {
  const invoicesFor = (id: string) =>
    [...scene().stripe.store.invoices.values()].filter(({ metadata }) => metadata.statement_id === id);
  return {
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
    mailsTo: async (person: Person) => {
      const rows = await scene().server.db.query<{ subject: string }>(
        'select subject from mails where recipient = $1 order by created_at, id',
        [person.email],
      );
      return rows.map(({ subject }) => subject);
    },
    /** A developer who owes for a month. @param token of the card, or `none`. */
    owing: async (token?: string, amounts = [1000, 55], month = '2026-02-01') => {
      const ada = await signUpVerified(scene().server);
      const card = token === 'none' ? undefined : await scene().addCard(ada, token);
      return { ada, card, id: await plantStatement(scene().server.db, ada, { amounts, month }) };
    },
  };
}
