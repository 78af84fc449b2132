import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, Unlink } from 'lucide-react';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { formatCount } from '#lib/format/format.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { useAccount } from '#lib/session/session.ts';
import type { Shop, ShopItem } from '#lib/types.ts';
import { Badge, Tag } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { Switch } from '#ui/forms/switch.tsx';
import { ShowMore } from '#ui/lists/show-more.tsx';
import { RowMenu } from '#ui/menus/row-menu.tsx';
import { Panel } from '#ui/page.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { notify } from '#ui/toast.ts';
import { itemsQuery } from '../shop-queries.ts';
import { MapDialog } from './map-dialog.tsx';
import { drawsOf, givesOf, keyWords } from './words.ts';

interface ItemListProps {
  shop: Shop;
  unmapped: boolean;
  onUnmapped: (unmapped: boolean) => void;
}

/**
 * The items that a shop sells, and the account's products that they are mapped to. Unmapped items can be listed alone.
 */
export function ItemList({ shop, unmapped, onUnmapped }: ItemListProps) {
  const list = useInfiniteQuery(itemsQuery(shop.id, unmapped));
  const rows = list.data?.pages.flatMap((page) => page.rows);
  const [mapping, setMapping] = useState<{ item: ShopItem | null } | null>(null);
  const [shown, setShown] = useState<{ item: ShopItem | null }>({ item: null });
  const [forgetting, setForgetting] = useState<ShopItem | null>(null);
  const queryClient = useQueryClient();
  const forget = useMutation({
    mutationFn: ({ key }: ShopItem) => api.deleteShopItem({ path: { id: shop.id, key } }),
    onSuccess: async (_, { name }) => {
      setForgetting(null);
      notify.success(`${name} is no longer mapped.`);
      await refreshAfter(queryClient, 'shopMapped');
    },
    onError: (error) => notify.failed("It couldn't be removed", error),
  });
  const map = (item: ShopItem | null) => {
    setShown({ item });
    setMapping({ item });
  };
  const add = (
    <Button size="sm" onClick={() => map(null)}>
      <Plus className="-ml-0.5 size-4" aria-hidden />
      Add
    </Button>
  );
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <Switch
          label={`Only what is not mapped${shop.unmapped > 0 ? ` (${formatCount(shop.unmapped)})` : ''}`}
          checked={unmapped}
          onChange={(event) => onUnmapped(event.target.checked)}
        />
        {add}
      </div>
      <Panel className="overflow-hidden">
        {list.isError && !rows ? (
          <Failed
            title="What it sells couldn't be loaded"
            error={list.error}
            retry={list.refetch}
            retrying={list.isFetching}
          />
        ) : !rows ? (
          <ItemsSkeleton />
        ) : rows.length === 0 ? (
          unmapped ? (
            <Empty title="Everything is mapped" action={<Button onClick={() => onUnmapped(false)}>Show all</Button>}>
              Whatever the shop sells next that you have not mapped is listed here, and you hear of it.
            </Empty>
          ) : (
            <Empty title="Nothing is mapped yet" action={add}>
              What the shop sells is listed here when it is first sold. You can also add a SKU before that.
            </Empty>
          )
        ) : (
          <ul className="divide-y divide-line">
            {rows.map((item) => (
              <ItemRow key={item.key} item={item} onMap={() => map(item)} onForget={() => setForgetting(item)} />
            ))}
          </ul>
        )}
        {list.hasNextPage ? (
          <div className="border-t border-line px-5 py-3">
            <ShowMore list={list} />
          </div>
        ) : null}
      </Panel>
      <MapDialog
        key={shown.item?.key ?? 'new'}
        open={mapping !== null}
        onOpenChange={(open) => setMapping(open ? shown : null)}
        shop={shop}
        item={shown.item}
      />
      <Confirm
        open={forgetting !== null}
        onOpenChange={(open) => (open ? undefined : setForgetting(null))}
        title={`Remove the mapping of ${forgetting?.name ?? ''}?`}
        action="Remove"
        busy={forget.isPending}
        onConfirm={() => forgetting && forget.mutate(forgetting)}
      >
        <p>What is sold of it from now on waits until you map it again. Orders that were delivered stay as they are.</p>
      </Confirm>
    </>
  );
}

function ItemRow({ item, onMap, onForget }: { item: ShopItem; onMap: () => void; onForget: () => void }) {
  const isReseller = useAccount()?.is_reseller ?? false;
  const isMapped = item.mapped_at !== null;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-3.5">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium wrap-anywhere">{item.name}</span>
          {isMapped ? null : (
            <Badge tone="warn" means="Orders of it wait. Map it, and all of them are delivered.">
              Unmapped
            </Badge>
          )}
        </p>
        <p className="text-sm wrap-anywhere text-muted">
          {keyWords(item.key)} · first seen <TimeAgo iso={item.seen_at} />
        </p>
      </div>
      {isMapped ? (
        <div className="min-w-0 flex-1 basis-64 text-sm">
          <p className="flex flex-wrap gap-1.5">
            {item.products.map(({ id, name }) => (
              <Tag key={id} tone="accent" className="max-w-full truncate">
                {name ?? 'Deleted product'}
              </Tag>
            ))}
          </p>
          <p className="mt-1 text-muted">{isReseller ? drawsOf(item) : givesOf(item)}</p>
        </div>
      ) : null}
      {isMapped ? (
        <RowMenu
          label={`Actions for ${item.name}`}
          items={[
            { icon: Pencil, label: 'Change', act: onMap },
            { icon: Unlink, label: 'Remove the mapping', bad: true, act: onForget },
          ]}
        />
      ) : (
        <Button size="sm" variant="primary" onClick={onMap}>
          Map it
        </Button>
      )}
    </li>
  );
}

function ItemsSkeleton() {
  return (
    <div role="status" className="divide-y divide-line">
      <span className="sr-only">Loading what it sells</span>
      {[0, 1, 2].map((row) => (
        <div key={row} className="flex items-center justify-between gap-6 px-5 py-3.5">
          <div className="flex flex-1 flex-col gap-2">
            <span className="skeleton h-5 w-1/3" />
            <span className="skeleton h-4 w-1/5" />
          </div>
          <span className="skeleton h-8 w-20" />
        </div>
      ))}
    </div>
  );
}
