import type { IncomingHttpHeaders } from 'node:http';
import type { Cents } from '#platform/money.ts';
import type { ReversalKind } from '../orders/states.ts';

/** A request to the address of a shop. */
export interface Inbound {
  headers: IncomingHttpHeaders;
  body: Buffer;
  now: Date;
}

/** Whether it is the shop's. `why` is shown to the shop's owner, and has nothing that is secret. */
export type Verdict =
  /** `isPing`: not signed, and only to be answered. */
  { ok: true; isPing?: true } | { ok: false; why: string };

/** The label of a delivery: only where it belongs is read so far. */
export interface Label {
  /** The shop's id of this delivery, where it is the same for each repeat and for nothing else; else null. */
  key: string | null;
  /** The reported event, in the shop's words. */
  event: string;
  /** The shop's id of the order that it is about; null: none. */
  orderKey: string | null;
  /** Whether it is from the shop's test mode; null: not known. */
  test: boolean | null;
  /** Why nothing is done about it, such as a test of the address itself. */
  ignored?: string;
  /** The trouble that the seller has to fix in the shop. */
  trouble?: string;
}

/** A line of an order as the shop has it. */
export interface LineSnapshot {
  id: string;
  /** The keys that it may be known by, the closest first: `variant:…`, `product:…`, a SKU as it is. */
  keys: readonly string[];
  sku: string | null;
  name: string;
  quantity: number;
  /** The price paid for all of it, without tax, after discounts. */
  netMinor: number;
  /** The same in dollars, where the shop knows it. */
  usdCents?: Cents | null;
  /** Products that the seller names, where no mapping is needed. */
  productIds?: readonly string[];
  isRenewal?: boolean;
  /** The price paid is not reported yet, for example when codes are wanted while an order is still being paid. */
  isUnpriced?: boolean;
}

/** An order as the shop has it. */
export interface OrderSnapshot {
  id: string;
  /** As people call it. */
  number: string;
  /** When it became so, by the shop's clock: an older one never overwrites a newer one. */
  versionAt: Date;
  /** Null: not yet. Once it was, nothing but a refund makes it unpaid. */
  paidAt: Date | null;
  canceledAt: Date | null;
  isTest: boolean;
  currency: string;
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  /** As the shop writes it, such as `de-DE`. */
  language: string | null;
  country: string | null;
  /**
   * Other ids of it, as few as there are: `pay:` and the payment's id, `is:` and its number for others, `of:` and the
   * number of the other shop's order that it pays, and its id in a link of the shop.
   */
  knownAs?: readonly string[];
  /**
   * The total paid, with tax and everything else that is in no line, if refunds that name no line are reported with
   * these, too. It is not known for an order whose refunds are reported without tax.
   */
  grossMinor?: number | null;
  lines: readonly LineSnapshot[];
}

/** Something that was taken back of an order, or given again. */
export interface ReversalSnapshot {
  orderId: string;
  /** The shop's id of it. */
  key: string;
  kind: ReversalKind;
  isWhole: boolean;
  lines: readonly { id: string; quantity: number }[] | null;
  /** As a decimal text, in the order's currency. */
  amount: string | null;
  /** The amount is without tax, though the order is known with it. */
  isNet?: boolean;
  undoes: string | null;
  /** Null: not told. */
  happenedAt: Date | null;
}

/** The meaning of a delivery. Unusable: why, in words for the shop's owner. */
export type Reading =
  | {
      order?: OrderSnapshot;
      reversals?: readonly ReversalSnapshot[];
      /** The data that is still to be asked for, in the connector's own words. */
      lacks?: string;
      /** The shop's id of the order that it is about, where only its API knows that it is not the one of its label. */
      orderKey?: string;
    }
  | { unusable: string }
  | { ignored: string };

/** The credentials of a shop's API, as its owner has pasted them: the connector names which of them it needs. */
export interface Credentials {
  /** The shop's own address, or its name there. */
  address?: string | undefined;
  /** A key, or the name of a pair. */
  key?: string | undefined;
  /** The other part of a pair. */
  secret?: string | undefined;
  /** The address of the call that asks for a code while the customer waits. */
  license_key?: string | undefined;
}
export type CredentialName = keyof Credentials;

/** An answer of a shop's API. */
export interface ApiAnswer {
  /** 200 to 299, or 404. */
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Null for what is no JSON. */
  json: unknown;
}

/** A shop's API, opened for one piece of work: bounded in time, in size and in how often it is asked. */
export interface ShopApi {
  readonly credentials: Credentials;
  readonly mode: 'live' | 'test';
  /**
   * @param path after the shop's own address.
   * @throws {ShopAway} when another try may help; {@link ShopRefuses} when it won't before somebody mends it.
   */
  ask(path: string, question?: ApiQuestion): Promise<ApiAnswer>;
}

export interface ApiQuestion {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  headers?: Record<string, string>;
  body?: string;
  /** It is never sent again by itself, as what is asked on a connection that ends in that moment otherwise is. */
  once?: true;
}

/** The content of a note of an order. */
export interface OrderNote {
  codes: readonly string[];
  /** The text for those codes that are not written yet. */
  textOf(codes: readonly string[]): Promise<string>;
}

/** One of several deliveries that came as one. */
export interface Part {
  label: Label;
  body: Buffer;
}

/** A page of the list of a shop's changes. */
export interface ListPage {
  readings: readonly { orderKey: string; reading: Reading }[];
  /** Null: it was the last one. */
  next: string | null;
}

/** The calls of a shop's API that we use. */
export interface ApiConnector {
  /** The credentials that every call needs. */
  needs: readonly CredentialName[];
  /** Whether a delivery can't be understood without it; else it adds to it. */
  isNeeded(reading: Reading): boolean;
  /** Its address, without a slash at the end. */
  base(credentials: Credentials, mode: 'live' | 'test'): string;
  /** Headers that open it. */
  opens(credentials: Credentials): Record<string, string>;
  /** Asks for something small, to see whether it is open. */
  probe(api: ShopApi): Promise<unknown>;
  /** Adds what a delivery leaves out. One that lacks nothing is given back as it is. */
  complete(reading: Reading, api: ShopApi): Promise<Reading>;
  /**
   * Lists the changes since a moment, with everything about them.
   * @param sold for lists that are only by the day of the sale: since when sales are checked for refunds and disputes
   */
  changes?(api: ShopApi, since: Date, page: string | null, sold: Date): Promise<ListPage>;
  /**
   * Has the shop send to our address what its webhook leaves out. Nothing changes at a shop that does so already.
   * @throws {ShopAway} when another try may help; {@link ShopRefuses} when it does not.
   */
  subscribe?(api: ShopApi, address: string): Promise<void>;
  /** Ends that again. */
  leaving?: {
    /** The shop's ids of all that {@link subscribe} made for our address, by this key or another of the same account. */
    made(api: ShopApi, address: string): Promise<string[]>;
    end(api: ShopApi, ids: readonly string[]): Promise<void>;
    /** A text for the owner: what the shop keeps sending if nobody ends it, and how to end it in the shop. */
    byHand: string;
  };
  /**
   * Has the shop write codes to the customer of an order, in a note that it emails. What a note of the order has already is not written again.
   * @returns false: the shop has no such order.
   * @throws {ShopRefuses} when it takes no note before somebody mends that.
   */
  note?(api: ShopApi, orderId: string, note: OrderNote): Promise<boolean>;
  /** Minutes between two looks at it. */
  every: 15 | 1440;
}

/** A kind of shop: one file each, with its name. Nothing of it knows the database. */
export interface Connector {
  /**
   * Judges what came, before anything of it is kept.
   * @param secrets those that are accepted, the newest first; never an empty one.
   */
  verify(inbound: Inbound, secrets: readonly string[]): Verdict;
  /** Reads where a delivery belongs. It never throws, whatever the body is. */
  label(inbound: Pick<Inbound, 'headers' | 'body'>): Label;
  /** Reads the meaning of a delivery. */
  read(inbound: Pick<Inbound, 'headers' | 'body'>): Reading;
  /** The deliveries that one request brings together; without it, each request is one. */
  parts?(inbound: Pick<Inbound, 'headers' | 'body'>): Part[];
  /** The shop's API; without it, the shop can't be asked for anything. */
  api?: ApiConnector;
}
