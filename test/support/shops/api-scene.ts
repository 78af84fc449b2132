import { afterAll, beforeAll, expect } from 'vitest';
import type { TestServer } from '../server.ts';
import { startServer } from '../server.ts';
import { ApiHost } from './api-host.ts';
import { ShopScene } from './scene.ts';

/** A server that asks the stand-ins of this machine for what shops' APIs know. */
export function apiSuite(env: Record<string, string> = {}) {
  const suite = {
    host: undefined as unknown as ApiHost,
    server: undefined as unknown as TestServer,
    /** A shop of a kind, with what opens its API, and its items mapped under their keys. */
    async begin(
      shop: { kind: string; secret?: string; mode?: string; delivery?: string },
      items: (products: { glide: string; prism: string }) => readonly object[],
    ): Promise<ShopScene> {
      const scene = await ShopScene.begin(suite.server, shop, []);
      const mapping = items({ glide: scene.glide.id, prism: scene.prism.id });
      if (mapping.length > 0) await scene.map(mapping);
      return scene;
    },
    async open(scene: ShopScene, credentials: object): Promise<void> {
      const opened = await scene.api('PUT', `/api/shops/${scene.shopId}/credentials`, credentials);
      expect(opened.status, opened.text).toBe(200);
      expect(opened.body.has_credentials).toBe(true);
    },
  };
  beforeAll(async () => {
    suite.host = await new ApiHost().start();
    suite.server = await startServer({ env: { ...suite.host.env, ...env } });
  });
  afterAll(async () => {
    await suite.server.stop();
    suite.host.stop();
  });
  return suite;
}
