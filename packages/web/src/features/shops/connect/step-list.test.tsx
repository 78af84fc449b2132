import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { Shop, ShopKind } from '#lib/types.ts';
import { AddressPanel } from '../address-panel.tsx';
import { kinds } from '../kinds.ts';
import { StepList } from './step-list.tsx';

const address = 'https://a.example/api/shop-hooks/account/token';
const shopOf = (kind: ShopKind) => ({ id: 'shop', kind, address, has_secret: true, order_page: null }) as Shop;

function shown(kind: ShopKind) {
  const html = renderToStaticMarkup(
    <>
      <StepList shop={shopOf(kind)} secret="our-secret" onRotate={undefined} secretField={null} />
      <AddressPanel shop={shopOf(kind)} />
    </>,
  );
  const count = (text: string) => html.split(`>${text}<`).length - 1;
  return { html, count, license: count(`${address}/license`) };
}

describe('the steps of a shop', () => {
  it('show where FastSpring asks for codes, how its events name their order, and the same on the page of the shop', () => {
    const { html, license } = shown('fastspring');
    expect(license).toBe(2);
    expect(html).toContain('Enable webhook expansion');
    expect(html).toContain('Generate a License › Remote Server Request');
    expect(html).toContain('Copy license address');
    // one button for each thing that is pasted
    for (const what of ['the address', 'the secret', 'the license address'])
      expect(html).toContain(`Copy<span class="sr-only"> ${what}</span>`);
  });

  it.each(kinds.filter((kind) => kind !== 'fastspring'))('of %s name no license call', (kind) => {
    const { count, license } = shown(kind);
    expect([license, count(address)]).toEqual([0, 2]);
  });
});
