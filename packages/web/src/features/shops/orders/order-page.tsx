import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { countryName } from '#lib/format/country.ts';
import { formatMoney, plural } from '#lib/format/format.ts';
import { useTitle } from '#lib/hooks.ts';
import { ofAddress } from '#lib/navigation/of-address.tsx';
import { useAccount } from '#lib/session/session.ts';
import type { ShopLine, ShopOrder, ShopUnit } from '#lib/types.ts';
import { Tag } from '#ui/badge.tsx';
import { BackLink, LinkButton, TextLink } from '#ui/button.tsx';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { OneThing } from '#ui/details/detail-frame.tsx';
import { FactsPanel } from '#ui/details/facts.tsx';
import { PageHeader, Panel, SectionHead } from '#ui/page.tsx';
import { SerialCode } from '#ui/serials/serial-code.tsx';
import { Notice } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { useShopLinks } from '../links.ts';
import { ReportBadge } from '../report-badge.tsx';
import { orderQuery } from '../shop-queries.ts';
import { formatPaid } from './money.ts';
import { OrderActions, OrderQuestion, ReplayButton } from './order-actions.tsx';
import { OrderBadge, reversalWords, UnitBadge } from './states.tsx';
import { lineSentence, rateSentence, storyOf } from './story.ts';

/** One order: what came, what was made of it, and why. */
function OrderPage({ id }: { id: string }) {
  const links = useShopLinks();
  const found = useQuery(orderQuery(id));
  const order = found.data?.order;
  useTitle(order ? `Order ${order.number}` : 'Order');
  return (
    <>
      <BackLink to={links.orders} search={{}} className="mb-5">
        Orders
      </BackLink>
      <OneThing query={found} found={order} what="order">
        {(each) => <Whole order={each} />}
      </OneThing>
    </>
  );
}

export const OrderScreen = ofAddress(OrderPage);

function Whole({ order }: { order: ShopOrder }) {
  const links = useShopLinks();
  const name = [order.first_name, order.last_name].filter(Boolean).join(' ');
  const names = new Map(order.products.map((product) => [product.id, product.name ?? 'Deleted product']));
  return (
    <>
      <PageHeader title={`Order ${order.number}`} actions={<OrderActions order={order} />}>
        <OrderBadge order={order} /> {order.shop_name}
        {order.test ? ' · Test' : ''}
      </PageHeader>
      {order.reasons.length > 0 ? (
        <div className="mb-6 flex flex-col gap-2">
          {order.reasons.map(({ reason, text }) => (
            <Notice key={reason} tone={reason === 'list_price' ? 'plain' : 'warn'}>
              <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
                <span className="min-w-0 flex-1 basis-64">{text}</span>
                {reason === 'unmapped' ? (
                  <LinkButton size="sm" to={links.one} params={{ id: order.shop_id }} search={{ unmapped: true }}>
                    Map it
                  </LinkButton>
                ) : null}
                {reason === 'duplicate' && order.duplicate_of ? (
                  <LinkButton size="sm" to={links.order} params={{ id: order.duplicate_of.id }} search={{}}>
                    Order {order.duplicate_of.number} of {order.duplicate_of.shop_name}
                  </LinkButton>
                ) : null}
              </span>
            </Notice>
          ))}
        </div>
      ) : null}
      <OrderQuestion order={order} />
      <section aria-labelledby="story" className="mb-8">
        <h2 id="story" className="sr-only">
          What happened
        </h2>
        <ul className="flex max-w-3xl flex-col gap-1">
          {storyOf(order).map((sentence, at) => (
            <li key={at} className={at === 0 ? 'wrap-anywhere' : 'wrap-anywhere text-muted'}>
              {sentence}
            </li>
          ))}
        </ul>
      </section>
      <FactsPanel
        facts={[
          [
            'Customer',
            name || order.email ? (
              <span key="customer" className="flex flex-col items-end">
                {name ? <span>{name}</span> : null}
                {order.email ? <span className={name ? 'text-muted' : ''}>{order.email}</span> : null}
              </span>
            ) : (
              'No address'
            ),
          ],
          [
            'Code for the customer',
            order.pickup_code === null ? null : (
              <span key="pickup" className="flex items-center gap-2">
                <code className="font-mono text-sm">{order.pickup_code}</code>
                <CopyButton compact text={order.pickup_code} what="the code for the customer" />
              </span>
            ),
          ],
          [
            'The same sale as',
            order.duplicate_of ? (
              <TextLink key="twin" to={links.order} params={{ id: order.duplicate_of.id }} search={{}}>
                {order.duplicate_of.number} of {order.duplicate_of.shop_name}
              </TextLink>
            ) : null,
          ],
          ['Country', order.country && countryName(order.country)],
          ['Paid, without tax', order.paid === null ? null : formatPaid(order.paid, order.currency)],
          [
            'In dollars',
            order.currency === 'USD' || order.paid === null
              ? null
              : order.paid_usd === null
                ? 'Not known'
                : formatMoney(order.paid_usd),
          ],
          ['Paid at', order.paid_at ? <TimeAgo key="paid_at" iso={order.paid_at} /> : 'Not paid'],
          ['Came', <TimeAgo key="received" iso={order.received_at} />],
          ['Found in the shop’s own list', order.found_at ? <TimeAgo key="found" iso={order.found_at} /> : null],
          ['Serials since', order.issued_at ? <TimeAgo key="issued" iso={order.issued_at} /> : null],
          [
            'Shop',
            <TextLink key="shop" to={links.one} params={{ id: order.shop_id }} search={{}}>
              {order.shop_name}
            </TextLink>,
          ],
          ['The shop’s id of it', order.external_id === order.number ? null : order.external_id],
          ['Note', order.note],
        ]}
      />
      <section aria-labelledby="lines" className="mb-8">
        <SectionHead id="lines" title="What was sold" hint="Each line of the order, with what it gave." />
        {order.lines.length === 0 ? (
          <Panel className="px-5 py-4 text-muted">The shop has not reported its lines yet.</Panel>
        ) : (
          <ul className="flex flex-col gap-3">
            {order.lines.map((line) => (
              <li key={line.id}>
                <Line line={line} names={names} state={order.state} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <Reversals order={order} />
      <section aria-labelledby="reports">
        <SectionHead id="reports" title="Reports" hint="What came from the shop about it, newest first." />
        <Panel className="overflow-hidden">
          {order.deliveries.length === 0 ? (
            <p className="px-5 py-4 text-muted">
              {order.found_at
                ? 'None. It was found in the shop’s own list, and no webhook has reported it up to now.'
                : 'None. It was recorded by a call, or its reports are older than 90 days.'}
            </p>
          ) : (
            <ul className="divide-y divide-line">
              {order.deliveries.map((delivery) => (
                <li key={delivery.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3">
                  <span className="min-w-0 flex-1 basis-48 font-mono text-sm wrap-anywhere">{delivery.event}</span>
                  <ReportBadge state={delivery.state} why={delivery.why} />
                  <TimeAgo iso={delivery.received_at} className="text-sm text-muted" />
                  {delivery.state === 'received' ? null : <ReplayButton orderId={order.id} deliveryId={delivery.id} />}
                  {delivery.why ? <p className="basis-full text-sm text-muted">{delivery.why}</p> : null}
                </li>
              ))}
            </ul>
          )}
        </Panel>
      </section>
    </>
  );
}

interface LineProps {
  line: ShopLine;
  names: ReadonlyMap<string, string>;
  /** The order's state. */
  state: ShopOrder['state'];
}

function Line({ line, names, state }: LineProps) {
  return (
    <Panel className="overflow-hidden">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1 px-5 py-3.5">
        <div className="min-w-0 flex-1 basis-64">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-medium wrap-anywhere">{line.name}</span>
            {line.sku ? <Tag className="max-w-full truncate">{line.sku}</Tag> : null}
          </p>
          <p className="text-sm text-muted">{lineSentence(line, state)}</p>
        </div>
        <p className="figures text-sm sm:text-right">
          {formatPaid(line.paid, line.currency)}
          {line.currency !== 'USD' && line.paid_usd !== null ? (
            <span className="block text-muted">{formatMoney(line.paid_usd)}</span>
          ) : null}
          {line.currency === 'USD' ? null : <span className="block text-xs text-muted">{rateSentence(line)}</span>}
        </p>
      </div>
      {line.units.length > 0 ? (
        <ul className="divide-y divide-line border-t border-line">
          {line.units.map((unit) => (
            <Unit key={unit.id} unit={unit} name={names.get(unit.product_id) ?? 'Deleted product'} />
          ))}
        </ul>
      ) : null}
    </Panel>
  );
}

function Unit({ unit, name }: { unit: ShopUnit; name: string }) {
  const { code, state, paid_usd, refunded_usd } = unit;
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2">
      <div className="min-w-0 flex-1 basis-56">
        {code === null ? <span className="text-muted">No code yet</span> : <Code unit={unit} code={code} />}
        <p className="text-sm wrap-anywhere text-muted">{name}</p>
      </div>
      <p className="figures text-sm text-muted">
        {paid_usd === null ? null : formatMoney(paid_usd)}
        {refunded_usd > 0 ? `, ${formatMoney(refunded_usd)} given back` : null}
      </p>
      <UnitBadge state={state} />
      {code === null ? null : <CopyButton compact text={code} what={code} />}
    </li>
  );
}

/** A developer’s leads to its serial, a reseller’s to the draw that handed it out. */
function Code({ unit, code }: { unit: ShopUnit; code: string }) {
  const isReseller = useAccount()?.is_reseller ?? false;
  const look = 'rounded-[3px] decoration-line-strong underline-offset-4 hover:underline';
  if (isReseller && unit.draw !== null)
    return (
      <Link to="/reseller/draws/$reference" params={{ reference: unit.draw }} className={look}>
        <SerialCode code={code} />
      </Link>
    );
  if (!isReseller && unit.serial_id !== null)
    return (
      <Link to="/dashboard/serials/$serialId" params={{ serialId: unit.serial_id }} className={look}>
        <SerialCode code={code} />
      </Link>
    );
  return <SerialCode code={code} />;
}

function Reversals({ order }: { order: ShopOrder }) {
  if (order.reversals.length === 0) return null;
  return (
    <section aria-labelledby="reversals" className="mb-8">
      <SectionHead
        id="reversals"
        title="Refunds and disputes"
        hint="What the shop took back of it, or gave again. Each counts once, however often it is reported."
      />
      <Panel className="overflow-hidden">
        <ul className="divide-y divide-line">
          {order.reversals.map((each) => (
            <li key={each.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3">
              <span className="min-w-0 flex-1 basis-56">
                <span className="font-medium">{reversalWords[each.kind]}</span>{' '}
                <span className="text-sm wrap-anywhere text-muted">{whatOf(order, each)}</span>
              </span>
              {each.amount === null ? null : (
                <span className="figures text-sm">{formatPaid(each.amount, order.currency)}</span>
              )}
              {each.state === 'asked' ? <Tag tone="warn">To decide</Tag> : null}
              {each.state === 'undone' ? <Tag>Undone</Tag> : null}
              {each.found_at ? <Tag>Found in the shop’s list</Tag> : null}
              {each.state === 'seen' ? <Tag tone="warn">Waits for its order</Tag> : null}
              <TimeAgo iso={each.happened_at} className="text-sm text-muted" />
            </li>
          ))}
        </ul>
      </Panel>
    </section>
  );
}

function whatOf({ lines }: ShopOrder, { whole, lines: named }: ShopOrder['reversals'][number]): string {
  if (whole) return 'of everything';
  if (named === null) return 'of an amount';
  const pieces = named.reduce((sum, { quantity }) => sum + quantity, 0);
  const names = named.map(({ id }) => lines.find((line) => line.id === id)?.name ?? `line ${id}`);
  return `of ${plural(pieces, 'piece')}: ${names.join(', ')}`;
}
