import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Shop } from '#lib/types.ts';
import { LinkButton } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { kindWords } from '../kinds.ts';
import { useShopLinks } from '../links.ts';
import { shopQuery } from '../shop-queries.ts';
import { FirstReport } from './first-report.tsx';
import { Pasted } from './pasted.tsx';
import { SecretField } from './secret-field.tsx';
import { StepList } from './step-list.tsx';

/** The place where a shop that can't show codes by itself takes a link to them. */
const orderPageWords: Partial<Record<Shop['kind'], string>> = {
  stripe:
    'Optional. Payment link > After payment > Don’t show confirmation page: redirect customers to this address. In code it is the success_url of the session.',
  lemonsqueezy: 'Optional. Product > Confirmation modal and Email receipt: make this the link of the button.',
};

interface ConnectStepsProps {
  shop: Shop;
  /** Ours, while it can be shown. */
  secret?: string | undefined;
  /** A new secret of ours can be made, where the old one was not copied. */
  onRotate?: (() => void) | undefined;
}

/** The steps to click in a shop, in its own words, with the texts to paste there, and the shop's first report. */
export function ConnectSteps({ shop: first, secret, onRotate }: ConnectStepsProps) {
  const links = useShopLinks();
  const [done, setDone] = useState(false);
  const shop = useQuery(shopQuery(first.id, !done)).data ?? first;
  const { notes } = kindWords[shop.kind];
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <StepList shop={shop} secret={secret} onRotate={onRotate} secretField={<SecretField shop={shop} />} />
      <FirstReport shop={shop} onArrived={() => setDone(true)}>
        <LinkButton to={links.one} params={{ id: shop.id }} search={{}} variant="primary">
          {shop.unmapped > 0 ? 'Map what it sells' : 'Open the shop'}
        </LinkButton>
      </FirstReport>
      {shop.order_page !== null && orderPageWords[shop.kind] !== undefined ? (
        <Panel className="flex flex-col gap-2 p-5">
          <h2 className="font-medium">Show customers their codes</h2>
          <p className="text-muted">{orderPageWords[shop.kind]}</p>
          <Pasted text={shop.order_page} what="the link">
            It opens your redemption page, where they enter their email address and are sent a link to the codes.
          </Pasted>
        </Panel>
      ) : null}
      {notes.length > 0 ? (
        <ul className="flex list-disc flex-col gap-1 pl-5 text-sm text-muted">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
