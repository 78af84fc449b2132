import { call } from '@tonerow/test-support/http.ts';
import type { TestServer } from '@tonerow/test-support/server.ts';

export interface Route {
  id: string;
  method: string;
  path: string;
}

/** An id that nothing has. */
export const ABSENT = '01900000-0000-7000-8000-000000000000';

/** Every route of the API, from its own document. */
export async function documentedRoutes(server: TestServer): Promise<Route[]> {
  const document = (await call(server, 'GET', '/api/openapi.json')).body as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
    })),
  );
}
