import { expect } from 'vitest';
import { call, makeProduct, makeSerials, signUpVerified } from '../http.ts';
import { connectPartners } from '../partners.ts';
import type { SharedServer } from '../server.ts';
import { ShopScene } from './scene.ts';

interface Resold {
  scene: ShopScene;
  /** Whose codes they are. */
  owner: ShopScene;
}

/** A reseller's shop, and two developers of whose products it has some. */
export async function resoldScene(server: SharedServer, { stock, now }: { stock: number; now: Date }): Promise<Resold> {
  const owner = await ShopScene.begin(server, { kind: 'other' });
  const other = await ShopScene.begin(server, { kind: 'other' });
  const reseller = await signUpVerified(server, 'reseller');
  const made = await call(server, 'POST', '/api/shops', {
    token: reseller.token,
    body: { kind: 'other', name: 'Resold' },
  });
  expect(made.status, made.text).toBe(201);
  const { id: shopId, address } = made.body.shop;
  const prism = await makeProduct(server, other.ada.token);
  for (const [{ ada }, product, batch_tag] of [
    [owner, owner.glide, null],
    [other, prism, 'box'],
  ] as const) {
    const reseller_id = await connectPartners(server, ada, reseller);
    await makeSerials(server, ada.token, product.id, {
      quantity: stock,
      reseller_id,
      ...(batch_tag ? { batch_tag } : {}),
    });
    await server.db.query('update batches set created_at = $2 where developer_id = $1', [ada.id, now]);
  }
  const scene = ShopScene.of(server, {
    ada: reseller,
    shopId,
    address,
    secret: made.body.secret,
    glide: owner.glide,
    prism,
  });
  await scene.map([
    { key: 'GLIDE', product_ids: [owner.glide.id] },
    { key: 'PRISM', product_ids: [prism.id], batch_tag: 'box' },
    { key: 'BOTH', product_ids: [owner.glide.id, prism.id], units: 2 },
  ]);
  return { scene, owner };
}
