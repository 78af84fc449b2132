import { assistantCalls } from '@tonerow/test-support/assistant-calls.ts';
import { call, makeProduct, type Person, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  ada = await signUp(server);
  await makeProduct(server, ada.token, { name: 'Chorus', price: 20 });
});
const { create, get, post, imported, ended } = assistantCalls(() => ({ server, ada }));

const SALES = [
  'Key,Product,Email,Price,Date',
  'PRF-0001,Chorus,a@example.com,49.50,2025-01-10',
  'PRF-0002,Chorus,b@example.com,10.00,2025-01-31',
  'PRF-0003,Chorus,b@example.com,,2025-02-01',
  'PRF-0004,Flanger,c@example.com,30.00,2025-02-02',
  'PRF-0001,Chorus,a@example.com,49.50,2025-01-10',
  '',
].join('\n');

describe('the proof of an import', () => {
  it('compares the file with what is here, by count, by month and to the cent', async () => {
    const { id } = await imported(SALES, { answers: { price: 'current' } });
    const { status, body } = await get(id, '/proof');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      whole: true,
      time_zone: 'UTC',
      // the line that repeats another can be read, and is in the file
      file: { lines: 5, amount: 129, unpriced: 1 },
      imported: { added: 3, known: 0, rejected: 2, amount: 79.5 },
      here: { count: 3, amount: 79.5, open: 0, redeemed: 3, revoked: 0 },
      months: [
        { month: '2025-01', file_count: 3, file_amount: 109, count: 2, amount: 59.5 },
        { month: '2025-02', file_count: 1, file_amount: 20, count: 1, amount: 20 },
      ],
    });
    expect(body.summary).toContain('3 of 5 serials, $79.50 of $129.00; 2 refused');
    expect(body.reasons.map(({ count }: { count: number }) => count)).toEqual([1, 1]);
    expect(JSON.stringify(body)).not.toContain('@example.com');
    expect(JSON.stringify(body)).not.toContain('PRF-');
  });

  it('shows what has changed since', async () => {
    const stock = await imported('Serial,Product\nOPN-0001,Chorus\nOPN-0002,Chorus\n');
    expect((await get(stock.id, '/proof')).body).toMatchObject({
      whole: true,
      file: { amount: null },
      here: { count: 2, open: 2, redeemed: 0 },
      months: [],
    });
    const sales = await imported(SALES, { answers: { price: 'current' } });
    await post(sales.id, '/undo');
    await ended(sales.id);
    const { body } = await get(sales.id, '/proof');
    expect(body).toMatchObject({ whole: false, here: { count: 0, amount: 0 } });
    expect(body.summary).toContain('3 no longer here');
  });

  it('is not there for one that has not run, for one of a single call, or for somebody else', async () => {
    const open = await create(SALES);
    expect((await get(open.id, '/proof')).status).toBe(404);
    const form = new FormData();
    form.append('file', new Blob(['Serial,Product\nONE-0001,Chorus\n']), 'a.csv');
    const single = await call(server, 'POST', '/api/serials/import-available', { token: ada.token, body: form });
    expect((await get(single.body.import_id, '/proof')).status).toBe(404);
    const { id } = await imported(SALES, { answers: { price: 'current' } });
    const eve = await signUp(server);
    expect((await call(server, 'GET', `/api/imports/${id}/proof`, { token: eve.token })).status).toBe(404);
  });
});
