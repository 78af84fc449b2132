/** How a card behaves when it is charged. */
export type Behavior = 'ok' | 'generic_decline' | 'insufficient_funds' | 'expired_card' | 'authentication_required';

export interface StoredCard {
  id: string;
  object: 'payment_method';
  type: 'card';
  customer: string | null;
  card: { brand: string; last4: string; exp_month: number; exp_year: number };
  created: number;
  livemode: false;
  metadata: Record<string, string>;
}

export interface StoredCustomer {
  id: string;
  object: 'customer';
  email: string | null;
  name: string | null;
  balance: number;
  created: number;
  livemode: false;
  metadata: Record<string, string>;
  invoice_settings: { default_payment_method: string | null };
  deleted?: true;
}

export interface StoredSetup {
  id: string;
  object: 'setup_intent';
  client_secret: string;
  customer: string;
  created: number;
  livemode: false;
  status: 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled';
  usage: string;
  payment_method: string | null;
  allowed_payment_method_types: string[];
  last_setup_error: Record<string, unknown> | null;
  metadata: Record<string, string>;
}

export interface StoredInvoice {
  id: string;
  object: 'invoice';
  customer: string;
  currency: string;
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
  description: string | null;
  auto_advance: boolean;
  total: number;
  amount_due: number;
  amount_paid: number;
  starting_balance: number;
  attempt_count: number;
  status_transitions: { finalized_at: number | null; paid_at: number | null };
  created: number;
  livemode: false;
  metadata: Record<string, string>;
}

export interface StoredItem {
  id: string;
  object: 'invoiceitem';
  customer: string;
  invoice: string | null;
  amount: number;
  currency: string;
  description: string | null;
  created: number;
  metadata: Record<string, string>;
}

/** The payment that collects an invoice. Stripe has it since invoices no longer name a charge. */
export interface StoredPayment {
  id: string;
  object: 'payment_intent';
  client_secret: string;
  customer: string;
  amount: number;
  currency: string;
  created: number;
  livemode: false;
  status: 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled';
  payment_method: string | null;
  last_payment_error: Record<string, unknown> | null;
}

/** A payment that went through, or not. */
export interface Charge {
  invoice: string;
  card: string;
  amount: number;
  succeeded: boolean;
}

export interface StoredEvent {
  id: string;
  object: 'event';
  type: string;
  created: number;
  api_version: string;
  livemode: false;
  data: { object: object };
}

/** Everything that the stand-in remembers. */
export class Store {
  readonly customers = new Map<string, StoredCustomer>();
  readonly cards = new Map<string, StoredCard>();
  readonly setups = new Map<string, StoredSetup>();
  readonly invoices = new Map<string, StoredInvoice>();
  readonly items = new Map<string, StoredItem>();
  readonly payments = new Map<string, StoredPayment>();
  /** The payment of an invoice, by its id: the payment itself does not name it. */
  readonly paymentOf = new Map<string, string>();
  readonly charges: Charge[] = [];
  readonly events: StoredEvent[] = [];
  /** The behaviors of cards, by their ids. */
  readonly behaviors = new Map<string, Behavior>();
  readonly #now: () => Date;
  #count = 0;

  constructor(now: () => Date) {
    this.#now = now;
  }

  id(kind: string): string {
    this.#count += 1;
    return `${kind}_${String(this.#count).padStart(14, '0')}`;
  }

  get seconds(): number {
    return Math.floor(this.#now().getTime() / 1000);
  }

  note(type: string, object: object): void {
    this.events.push({
      id: this.id('evt'),
      object: 'event',
      type,
      created: this.seconds,
      api_version: '2026-10-28.endive',
      livemode: false,
      data: { object: structuredClone(object) },
    });
  }
}
