import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { keyedActs, useSingleKey } from '#lib/keyboard/single-keys.ts';
import { KeyHint } from '#ui/buttons/key.tsx';
import { TabLink, TabNav } from '#ui/tabs.tsx';

/** The two sides of a product. */
export function ProductTabs({ id }: { id: string }) {
  const navigate = useNavigate();
  const edit = useRef<HTMLAnchorElement>(null);
  const to = { to: '/products/edit/$productId', params: { productId: id } } as const;
  useSingleKey(keyedActs.edit.key, edit, () => navigate(to));
  return (
    <TabNav label="Product" className="mb-6">
      <TabLink to="/dashboard/products/$productId" params={{ productId: id }}>
        Overview
      </TabLink>
      <TabLink {...to} ref={edit} aria-keyshortcuts={keyedActs.edit.key}>
        Edit
        <KeyHint>{keyedActs.edit.key}</KeyHint>
      </TabLink>
    </TabNav>
  );
}
