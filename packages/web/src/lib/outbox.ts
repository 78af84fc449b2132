/**
 * Sales that were asked for and not answered yet. A sale is stored before it is sent, and sent again with the same reference
 * until it is known whether it was made: whatever the network does, there is one code for one sale.
 */
export interface Order {
  /** Identifies the sale on the server: an order with the same reference is the same sale. */
  reference: string;
  product_id: string;
  product_name: string;
  /** The price that the customer heard, in dollars. */
  price: number;
  email?: string;
  note?: string;
}

/** An order without an answer yet. */
export interface Waiting {
  order: Order;
  /** So often no answer came. */
  tries: number;
}

interface Failure {
  status?: number | undefined;
  /** Seconds. */
  retryAfter?: number | undefined;
}

/**
 * Whether the order was certainly not carried out. It is not certain if the server can't answer, if a network answers in its
 * place, or after a short wait. A wait of many minutes is a refusal, because nobody waits at a till so long.
 */
export function isRefusal(error: unknown): boolean {
  const { status, retryAfter = 0 } = (error ?? {}) as Failure;
  if (status === undefined || status < 400 || status >= 500) return false;
  if (status === 429) return retryAfter > 60;
  return status !== 408 && status !== 425 && status !== 401;
}

/** Milliseconds until the next try: soon at first, and never so late that a customer would leave. */
export const pauseAfter = (tries: number) => Math.min(1000 * 2 ** (tries - 1), 10_000);

// nothing that reads like another
const SYMBOLS = '23456789abcdefghjkmnpqrstuvwxyz';

/** Such as `till-20261126-7k4q9xwt`: the day, and what is unlike any other. */
export function newReference(day: Date, bytes: Uint8Array): string {
  const date = [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0'));
  return `till-${date.join('')}-${Array.from(bytes, (byte) => SYMBOLS[byte % SYMBOLS.length]).join('')}`;
}

/** The orders in a stored text. Anything that is not an order is left out. */
export function readOrders(text: string | null): Order[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(stored) ? stored.filter(isOrder) : [];
  } catch {
    return [];
  }
}

function isOrder(value: unknown): value is Order {
  const { reference, product_id, product_name, price } = (value ?? {}) as Partial<Order>;
  return [reference, product_id, product_name].every((each) => typeof each === 'string') && typeof price === 'number';
}

interface Means<Sale> {
  /** Asks the server; rejects with the `status` of its answer, if there was one. */
  send(order: Order): Promise<Sale>;
  /** Kept by this browser, for the account that is signed in. */
  store: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  key(): string | null;
  /** Resolves after a pause, or as soon as a network may be there. */
  pause(milliseconds: number): Promise<void>;
  /** An order that was sent by an earlier page was answered. */
  answered(order: Order, outcome: { sale: Sale } | { error: unknown }): void;
}

/** The account that sent an order is no longer signed in. The order is sent again once it is. */
export class SignedOut extends Error {}

export class Outbox<Sale> {
  readonly #means: Means<Sale>;
  readonly #listeners = new Set<() => void>();
  readonly #running = new Map<string, Promise<Sale>>();
  #waiting: readonly Waiting[] = [];

  constructor(means: Means<Sale>) {
    this.#means = means;
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /** The same list until it changes. */
  readonly waiting = (): readonly Waiting[] => this.#waiting;

  /** @throws what the server refused it with, once that is certain; {@link SignedOut}. */
  sell(order: Order): Promise<Sale> {
    const running = this.#running.get(order.reference);
    if (running) return running;
    this.#keep((orders) => [...orders.filter(({ reference }) => reference !== order.reference), order]);
    const sold = this.#until(order).finally(() => this.#running.delete(order.reference));
    this.#running.set(order.reference, sold);
    return sold;
  }

  /** Goes on with what an earlier page has left. */
  resume(): void {
    const key = this.#means.key();
    if (key === null) return;
    for (const order of readOrders(this.#means.store.getItem(key))) {
      if (this.#running.has(order.reference)) continue;
      this.sell(order).then(
        (sale) => this.#means.answered(order, { sale }),
        (error) => {
          if (!(error instanceof SignedOut)) this.#means.answered(order, { error });
        },
      );
    }
  }

  async #until(order: Order): Promise<Sale> {
    const key = this.#means.key();
    this.#set({ order, tries: 0 });
    try {
      for (let tries = 1; ; tries += 1) {
        try {
          const sale = await this.#means.send(order);
          this.#forget(order);
          return sale;
        } catch (error) {
          if (isRefusal(error)) {
            this.#forget(order);
            throw error;
          }
          if ((error as Failure).status === 401) throw error;
        }
        this.#set({ order, tries });
        await this.#means.pause(pauseAfter(tries));
        if (key === null || this.#means.key() !== key) throw new SignedOut('You are signed out.');
      }
    } finally {
      this.#set(undefined, order.reference);
    }
  }

  #forget({ reference }: Order): void {
    this.#keep((orders) => orders.filter((each) => each.reference !== reference));
  }

  #keep(change: (orders: Order[]) => Order[]): void {
    const { store, key } = this.#means;
    const name = key();
    if (name === null) return;
    const orders = change(readOrders(store.getItem(name)));
    if (orders.length === 0) store.removeItem(name);
    else store.setItem(name, JSON.stringify(orders));
  }

  #set(waiting: Waiting | undefined, reference = waiting?.order.reference): void {
    const others = this.#waiting.filter(({ order }) => order.reference !== reference);
    this.#waiting = waiting ? [...others, waiting] : others;
    for (const listener of this.#listeners) listener();
  }
}
