import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Shop } from '#lib/types.ts';
import { LinkButton } from '#ui/button.tsx';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { Panel } from '#ui/page.tsx';
import { kindWords } from '../kinds.ts';
import { useShopLinks } from '../links.ts';
import { shopQuery } from '../shop-queries.ts';
import { FirstReport } from './first-report.tsx';
import { SecretField } from './secret-field.tsx';

/** Where a shop that can't show codes by itself takes a link to them. */
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
  onRotate?: () => void;
}

/** What to click in a shop, in its own words, with what to paste there, and its first report. */
export function ConnectSteps({ shop: first, secret, onRotate }: ConnectStepsProps) {
  const links = useShopLinks();
  const [done, setDone] = useState(false);
  const shop = useQuery(shopQuery(first.id, !done)).data ?? first;
  const { steps, notes } = kindWords[shop.kind];
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <Panel className="overflow-hidden">
        <ol className="divide-y divide-line">
          {steps.map((step, at) => (
            <li key={step.text} className="flex gap-4 px-5 py-4">
              <span
                className="figures grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft text-sm font-medium text-accent-text"
                aria-hidden
              >
                {at + 1}
              </span>
              <div className="flex min-w-0 flex-1 flex-col gap-2">
                <div>
                  {step.where ? <p className="font-medium wrap-anywhere">{step.where}</p> : null}
                  <p className="text-muted">{step.text}</p>
                </div>
                {step.paste === 'address' ? <Pasted text={shop.address} what="the address" /> : null}
                {step.paste === 'secret' ? (
                  secret ? (
                    <Pasted text={secret} what="the secret">
                      Shown once. If it gets lost, make a new one.
                    </Pasted>
                  ) : (
                    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
                      The secret was shown when it was made.
                      {onRotate ? (
                        <button
                          type="button"
                          onClick={onRotate}
                          className="rounded-sm font-medium text-accent-text underline decoration-accent-line underline-offset-4 hover:decoration-current"
                        >
                          Make a new one
                        </button>
                      ) : null}
                    </p>
                  )
                ) : null}
                {step.takes === 'secret' ? <SecretField shop={shop} /> : null}
              </div>
            </li>
          ))}
        </ol>
      </Panel>
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

function Pasted({ text, what, children }: { text: string; what: string; children?: ReactNode }) {
  return (
    <div>
      <div className="flex items-center gap-2 rounded-md border border-line bg-sunken py-2 pr-2 pl-4">
        <code className="min-w-0 flex-1 font-mono text-sm break-all">{text}</code>
        <CopyButton compact text={text} what={what} />
      </div>
      {children ? <p className="mt-1.5 text-sm text-muted">{children}</p> : null}
    </div>
  );
}
