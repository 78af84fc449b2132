import { call, type Person } from './http.ts';
import type { SharedServer } from './server.ts';

export const IMPORTS = {
  available: '/api/serials/import-available',
  redeemed: '/api/serials/import-redeemed',
  customers: '/api/customers/import/',
};

/** Files that a developer imports, and their results. */
export function importCalls(scene: () => { server: SharedServer; ada: Person }) {
  return {
    send: (kind: keyof typeof IMPORTS, csv: string | Buffer, query = '', token = scene().ada.token) => {
      const form = new FormData();
      form.append('file', new Blob([csv as string], { type: 'text/csv' }), 'serials.csv');
      return call(scene().server, 'POST', IMPORTS[kind] + query, { token, body: form });
    },
    countSerials: async () => {
      const { server, ada } = scene();
      const [row] = await server.db.query<{ n: number }>(
        'select count(*)::int as n from serials where developer_id = $1',
        [ada.id],
      );
      return row?.n;
    },
  };
}
