import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { useState } from 'react';
import { useTitle } from '#lib/hooks.ts';
import type { ShopKind } from '#lib/types.ts';
import { BackLink, LinkButton } from '#ui/button.tsx';
import { PageHeader, Panel } from '#ui/page.tsx';
import { Failed } from '#ui/states.tsx';
import { kinds, kindWords } from '../kinds.ts';
import { useShopLinks } from '../links.ts';
import { shopsQuery } from '../shop-queries.ts';
import { ConnectSteps } from './connect-steps.tsx';
import { type MadeShop, ShopForm } from './shop-form.tsx';

interface NewShopPageProps {
  kind: ShopKind | undefined;
}

const titleOf = (kind: ShopKind | undefined) =>
  kind === undefined
    ? 'Connect a shop'
    : kind === 'other'
      ? 'Connect any other shop'
      : `Connect ${kindWords[kind].name}`;

/** Connects a shop: which one it is, what to call it, what to click there, and whether the first report came. */
export function NewShopPage({ kind }: NewShopPageProps) {
  useTitle('Connect a shop');
  const links = useShopLinks();
  const [made, setMade] = useState<MadeShop>();
  return (
    <>
      <BackLink to={links.list} search={{}} className="mb-5">
        Shops
      </BackLink>
      <PageHeader
        title={made ? `Connect ${made.shop.name}` : titleOf(kind)}
        guide={kind ? kindWords[kind].guide : 'shops'}
      >
        {made
          ? 'Do this in your shop. The page shows when its first report comes.'
          : 'Takes about three minutes. You need to be able to change the settings of your shop.'}
      </PageHeader>
      {made ? (
        <ConnectSteps shop={made.shop} secret={made.secret} />
      ) : kind ? (
        <Panel className="max-w-2xl p-6">
          <ShopForm kind={kind} onMade={setMade} />
        </Panel>
      ) : (
        <KindChoice />
      )}
    </>
  );
}

/** Those that the server can connect come first; the others are named, so that nobody looks for them. */
function KindChoice() {
  const links = useShopLinks();
  const list = useQuery(shopsQuery);
  const able = list.data?.kinds;
  if (list.isError && !able)
    return (
      <Panel>
        <Failed
          title="The kinds of shops couldn't be loaded"
          error={list.error}
          retry={list.refetch}
          retrying={list.isFetching}
        />
      </Panel>
    );
  const offered = kinds.filter((each) => able?.includes(each) ?? true);
  const later = able ? kinds.filter((each) => !able.includes(each)) : [];
  return (
    <>
      <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2" aria-busy={!able}>
        {offered.map((each) =>
          able ? (
            <li key={each}>
              <Link to={links.create} search={{ kind: each }} className="group block h-full rounded-lg">
                <Panel className="flex h-full items-start gap-4 p-5 transition-colors group-hover:border-line-strong group-hover:bg-hover">
                  <span className="min-w-0 flex-1">
                    <span className="block font-semibold">{kindWords[each].name}</span>
                    <span className="mt-0.5 block text-muted">{kindWords[each].about}</span>
                  </span>
                  <ArrowRight
                    className="mt-0.5 size-4 shrink-0 text-muted transition-transform group-hover:translate-x-0.5"
                    aria-hidden
                  />
                </Panel>
              </Link>
            </li>
          ) : (
            <li key={each} className="skeleton h-[86px] rounded-lg" />
          ),
        )}
      </ul>
      {later.length > 0 ? (
        <p className="mt-6 max-w-2xl text-sm text-muted">
          Not yet: {later.map((each) => kindWords[each].name).join(', ')}. Until then, a program between the shop and us
          can report its sales as “{kindWords.other.name}”.{' '}
          <LinkButton to={links.create} search={{ kind: 'other' }} size="sm" className="ml-1">
            Connect it that way
          </LinkButton>
        </p>
      ) : null}
    </>
  );
}
