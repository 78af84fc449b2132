import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { formatChosen } from '#lib/format/format.ts';
import type { PluginKey } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { notify } from '#ui/toast.ts';
import { KeyMenu } from './key-menu.tsx';
import { keyState, keysQuery } from './keys-query.ts';
import { RenameKey } from './rename-key.tsx';
import { RotateKey } from './rotate-key.tsx';
import type { Secrets } from './use-secrets.ts';
import { useUpdateKey } from './use-update-key.ts';

type Asking = 'rename' | 'rotate' | 'delete';

export function KeyRow({ item, secrets }: { item: PluginKey; secrets: Secrets }) {
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState<Asking | null>(null);
  const secret = secrets.known[item.id];
  const dialog = (which: Asking) => ({
    open: asking === which,
    onOpenChange: (open: boolean) => setAsking(open ? which : null),
  });
  const update = useUpdateKey(item);
  const activate = (is_active: boolean, canUndo = true) =>
    update.mutate(
      { is_active },
      {
        onSuccess: () =>
          notify.success(
            is_active ? 'Key activated.' : 'Key deactivated.',
            canUndo ? { undo: () => activate(!is_active, false) } : undefined,
          ),
        onError: (error) => notify.error(`The key couldn't be ${is_active ? 'activated' : 'deactivated'}.`, error),
      },
    );
  const remove = useMutation({
    mutationFn: () => api.deletePluginKey({ path: { id: item.id } }),
    onSuccess: () => {
      secrets.hide(item.id);
      queryClient.setQueryData(
        keysQuery.queryKey,
        (page) => page && { ...page, keys: page.keys.filter((key) => key.id !== item.id) },
      );
      notify.success('Key deleted.');
    },
    onError: (error) => notify.failed('Delete failed', error),
    onSettled: () => setAsking(null),
  });
  const used = item.lastUsedAt ? (
    <>
      Last used <TimeAgo iso={item.lastUsedAt} />
    </>
  ) : (
    'Never used'
  );
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4">
      <div className="min-w-0 flex-1 basis-72">
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="min-w-0 font-medium wrap-anywhere">{item.label}</h3>
          <StateBadge item={item} />
          {item.is_test ? (
            <Badge tone="accent" means="For the fixed test serials only. It never reaches a customer.">
              Test key
            </Badge>
          ) : null}
        </div>
        <code className="mt-1 block font-mono text-sm break-all text-muted">{secret ?? `••••${item.hint}`}</code>
        <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-muted">
          <span>
            Created <TimeAgo iso={item.createdAt} />
          </span>
          <span>{used}</span>
        </p>
        {item.can_reveal ? null : (
          <p className="mt-1 text-sm text-warn">This secret can no longer be shown. Rotate the key to get a new one.</p>
        )}
      </div>
      <div className="flex gap-1.5 max-sm:w-full">
        {secret ? (
          <>
            <CopyButton text={secret} what={item.label} />
            <Button size="sm" onClick={() => secrets.hide(item.id)}>
              Hide<span className="sr-only"> {item.label}</span>
            </Button>
          </>
        ) : !item.can_reveal ? null : (
          <Button size="sm" onClick={() => secrets.reveal(item.id)} busy={secrets.isRevealing(item.id)}>
            Reveal<span className="sr-only"> {item.label}</span>
          </Button>
        )}
        <KeyMenu item={item} busy={update.isPending} onAsk={setAsking} onActivate={activate} />
      </div>
      <RenameKey item={item} {...dialog('rename')} />
      <RotateKey item={item} {...dialog('rotate')} />
      <Confirm
        {...dialog('delete')}
        title="Delete this key permanently? Existing builds using it may stop working."
        action="Delete key"
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <p>
          {item.label}. {used}.
        </p>
      </Confirm>
    </li>
  );
}

function StateBadge({ item }: { item: PluginKey }) {
  const state = keyState(item);
  if (state === 'expiring' && item.expires_at) {
    return (
      <Badge tone="warn" means="It was rotated: builds with it work until then, and the new key works already.">
        Until {formatChosen(item.expires_at, 'end')}
      </Badge>
    );
  }
  return state === 'inactive' ? (
    <Badge means="Calls with it are refused until it is activated again.">Inactive</Badge>
  ) : (
    <Badge tone="good" means="Plugins with it can activate and validate.">
      Active
    </Badge>
  );
}
