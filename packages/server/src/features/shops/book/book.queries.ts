import { type RawBuilder, sql } from 'kysely';
import { csvMoment } from '#platform/csv/moments.ts';
import { csvLine } from '#platform/csv/write.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import { ownJoin, ownLeftJoin } from '#platform/db/tenant.ts';
import { plainCentsSql } from '#platform/money.ts';
import { type Export, innerBreaks } from '#platform/spool/exports.ts';
import { decimalsOf } from '../money.ts';
import { fitting, type OrderFilter } from '../orders/order-lists.queries.ts';
import { tables } from '../tables.ts';

// The order book as a file that an accountant can use: a line for each line of an order, with its money as it was paid, the rate that it
// was counted with, the dollars, the serials and what was given back.

const COLUMNS = [
  'Order',
  'Shop',
  'State',
  'Test',
  'Received',
  'Paid At',
  'Email',
  'Country',
  'Line',
  'SKU',
  'Name',
  'Quantity',
  'Paid',
  'Currency',
  'Rate',
  'Rate Source',
  'USD',
  'Serials',
  'Refunded USD',
  'Refunds',
];

/** Currencies without two decimals, each with how many it has. */
const ODD = Intl.supportedValuesOf('currency').flatMap((currency) => {
  const decimals = decimalsOf(currency);
  return decimals === null || decimals === 2 ? [] : [{ currency, decimals }];
});

/** How many decimals the currency of line `l` has. */
const DECIMALS = sql.raw(
  `case l.currency ${ODD.map(({ currency, decimals }) => `when '${currency}' then ${decimals}`).join(' ')} else 2 end`,
);

/** The data of customers and of serials that the caller may see. */
interface Shows {
  people: boolean;
  codes: boolean;
}

/**
 * The refunds and disputes of line `l` of order `o`, each with its day. One that names no line of the order belongs
 * to all of its lines. Its amount appears once, on the first of its lines, so that no sum has it twice.
 */
const refundsOf = (accountId: string, timeZone: string) => {
  const names = (line: string) =>
    sql.raw(`coalesce(r.lines @> jsonb_build_array(jsonb_build_object('id', ${line}.external_id)), false)`);
  const lines = sql`shop_lines f where f.developer_id = ${accountId} and f.order_id = o.id`;
  return sql`(select string_agg(concat_ws(' ', r.kind, to_char(r.happened_at at time zone ${timeZone}, 'YYYY-MM-DD'),
      case when l.id is not distinct from
        (select f.id from ${lines} order by ${names('f')} desc, f.position, f.external_id limit 1) then r.amount end), '; '
      order by r.happened_at, r.id)
    from shop_reversals r where r.developer_id = ${accountId} and r.order_id = o.id
      and (${names('l')} or not exists (select from ${lines} and ${names('f')})))`;
};

/** Newest order first, its lines in their order. An order of which nothing is known but a refund has one line without money. */
export function orderBook(filter: OrderFilter, shows: Shows, timeZone: string): Export {
  const { accountId } = filter;
  const moment = (column: string) => sql.raw(csvMoment(column, timeZone));
  const cell = (column: string) => sql.raw(innerBreaks(csvSafe(column)));
  const ofLine = (what: RawBuilder<unknown>) => sql`(select ${what} from shop_units u
    where u.developer_id = ${accountId} and u.line_id = l.id)`;
  const cells = [
    cell('o.number'),
    cell('c.name'),
    sql`o.state`,
    sql`case when o.is_test then 'yes' end`,
    moment('o.received_at'),
    moment('o.paid_at'),
    shows.people ? cell('o.email') : sql`null`,
    sql`o.country`,
    cell('l.external_id'),
    cell('l.sku'),
    cell('l.name'),
    sql`l.paid_quantity`,
    sql`round(l.net_minor / 10::numeric ^ (${DECIMALS}), ${DECIMALS})`,
    sql`l.currency`,
    sql`l.rate`,
    sql`l.rate_source`,
    sql.raw(plainCentsSql('l.usd_cents')),
    shows.codes ? ofLine(sql`string_agg(u.code, ' ' order by u.n)`) : sql`null`,
    ofLine(sql.raw(plainCentsSql('sum(u.cut_cents + u.refunded_cents)'))),
    refundsOf(accountId, timeZone),
  ];
  return {
    format: 'csv',
    timeZone,
    header: csvLine(COLUMNS),
    lineEnd: '\r\n',
    feature: tables.feature,
    query: tables.text(sql`select ${sql.join(cells)}
      from shop_orders o
        ${ownJoin('shop_connections as c', 'c.id', 'o.connection_id')}
        ${ownLeftJoin('shop_lines as l', 'l.order_id', 'o.id')}
      where ${fitting(filter)} order by o.id desc, l.position, l.external_id`),
  };
}
