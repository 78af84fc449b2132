import { assistantCalls } from '@tonerow/test-support/assistant-calls.ts';
import { call, makeProduct, type Person, signUp } from '@tonerow/test-support/http.ts';
import { importSamples } from '@tonerow/test-support/import-samples.ts';
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
const { create, change, post, imported, ended } = assistantCalls(() => ({ server, ada }));

describe('a file of another system needs no mapping', () => {
  it.each(importSamples.map((sample) => [sample.preset, sample] as const))('%s', async (preset, sample) => {
    const made = await create(sample.text, sample.name);
    expect([made.status, made.kind, made.plan.preset]).toEqual([201, sample.kind, preset]);
    expect(made.plan.preset_name).not.toBe(preset);
    const columns = Object.fromEntries(
      made.plan.columns.map(({ head, column }: { head: string; column: string }) => [head, column]),
    );
    expect(columns).toMatchObject(sample.columns);
    expect(made.plan.questions.map(({ id }: { id: string }) => id)).toEqual(sample.questions);
    const answers = Object.fromEntries(
      [
        ['ends', 'revoke'],
        ['price', 'current'],
      ].filter(([id]) => sample.questions.includes(id as string)),
    );
    if (sample.questions.length > 0) await change(made.id, { answers });
    const { check } = (await post(made.id, '/check')).body.plan;
    expect([check.rejected, check.reasons]).toEqual([0, []]);
    await post(made.id, '/run');
    expect(await ended(made.id)).toMatchObject({ state: 'complete', rejected: 0, count: check.lines });
  });
});

const redeemed = async () => {
  const { rows } = (await call(server, 'GET', '/api/serials/redeemed', { token: ada.token })).body;
  return new Map<string, { id: string; revoked: boolean }>(rows.map((row: { code: string }) => [row.code, row]));
};

const ENDS = [
  'Key,Product,Email,Price,Date,Expires',
  'END-0001,Chorus,a@example.com,20.00,2024-01-01,2024-12-31',
  'END-0002,Chorus,b@example.com,20.00,2024-01-01,2099-12-31',
  'END-0003,Chorus,c@example.com,20.00,2024-01-01,lifetime',
  'END-0004,Chorus,d@example.com,20.00,2024-01-01,2099-12-31',
  '',
].join('\n');

describe('the end of a license', () => {
  it('is asked about: past ones revoke, and others are notes of their batches, which are found', async () => {
    const { plan } = await create(ENDS);
    expect(plan.columns.at(-1).column).toBe('License Ends');
    expect(plan.questions.map(({ id }: { id: string }) => id)).toEqual(['ends']);
    await imported(ENDS, { answers: { ends: 'revoke' } });
    const found = await redeemed();
    expect(['END-0001', 'END-0002', 'END-0003'].map((code) => found.get(code)?.revoked)).toEqual([true, false, false]);
    const batches = await call(server, 'GET', '/api/batches?search=2099-12-31', { token: ada.token });
    expect(batches.body.rows).toMatchObject([{ quantity: 2, notes: 'License until 2099-12-31 where it came from' }]);
  });

  it('does nothing when that is the answer', async () => {
    await imported(ENDS, { answers: { ends: 'ignore' } });
    expect([...(await redeemed()).values()].filter(({ revoked }) => revoked)).toEqual([]);
  });

  it('stays unused in a single call, which nobody can ask', async () => {
    const form = new FormData();
    form.append(
      'file',
      new Blob(['Serial,Product,Email,License Ends\nONE-0001,Chorus,a@example.com,2020-01-01\n']),
      'a.csv',
    );
    const { body } = await call(server, 'POST', '/api/serials/import-redeemed', { token: ada.token, body: form });
    expect(body).toMatchObject({ count: 1, unused_columns: ['License Ends'] });
    expect((await redeemed()).get('ONE-0001')?.revoked).toBe(false);
  });
});

const MACHINES = [
  'Key,Product,Email,Price,Date,Machine IDs',
  'MAC-0001,Chorus,a@example.com,20.00,2024-01-01,"studio-one, laptop-two; studio-one"',
  'MAC-0002,Chorus,b@example.com,20.00,2024-01-01,',
  'MAC-0003,Chorus,c@example.com,20.00,2024-01-01,00000000',
  '',
].join('\n');

describe('machines of a file', () => {
  const seats = async (code: string) => {
    const [row] = await server.db.query<{ seats_used: number; machines: string[] }>(
      `select s.seats_used, array(select a.machine_id from activations a
         where a.developer_id = s.developer_id and a.serial_id = s.id order by 1) as machines
       from serials s where s.developer_id = $1 and s.code = $2`,
      [ada.id, code],
    );
    return row;
  };

  it('take their seats, each once, and none that is no id', async () => {
    await imported(MACHINES);
    expect(await seats('MAC-0001')).toEqual({ seats_used: 2, machines: ['laptop-two', 'studio-one'] });
    expect(await seats('MAC-0002')).toEqual({ seats_used: 0, machines: [] });
    expect(await seats('MAC-0003')).toEqual({ seats_used: 0, machines: [] });
    const id = (await redeemed()).get('MAC-0001')?.id;
    const { body } = await call(server, 'GET', `/api/serials/${id}/machines`, { token: ada.token });
    expect(JSON.stringify(body)).toContain('studio-o');
  });

  it('do not keep an import from being taken back, until one of them has called', async () => {
    const stock = await imported('Serial,Product\nMAC-0002,Chorus\n');
    expect(stock.count).toBe(1);
    const text = MACHINES.replace('2024-01-01,\n', '2024-01-01,tower-three\n');
    const { id } = await imported(text);
    expect(await seats('MAC-0002')).toEqual({ seats_used: 1, machines: ['tower-three'] });

    await server.db.query(
      `update activations set token_hash = '\\x00' where developer_id = $1 and machine_id = 'studio-one'`,
      [ada.id],
    );
    expect((await post(id, '/undo')).body.code).toBe('import_in_use');
    await server.db.query('update activations set token_hash = null where developer_id = $1', [ada.id]);
    expect((await post(id, '/undo')).status).toBe(202);
    expect(await ended(id)).toMatchObject({ state: 'undone' });
    expect(await seats('MAC-0001')).toBeUndefined();
    // it was in stock before, and is again, without a machine
    expect(await seats('MAC-0002')).toEqual({ seats_used: 0, machines: [] });
    const [left] = await server.db.query<{ activated_at: Date | null }>(
      'select activated_at from serials where developer_id = $1 and code = $2',
      [ada.id, 'MAC-0002'],
    );
    expect(left?.activated_at).toBeNull();
  });

  it('that are too many are refused with their line', async () => {
    const many = Array.from({ length: 101 }, (_, at) => `m${at}`).join(';');
    const { id } = await create(
      `Key,Product,Email,Price,Date,Machine IDs\nMANY-001,Chorus,a@example.com,1,2024-01-01,${many}\n`,
    );
    const { check } = (await post(id, '/check')).body.plan;
    expect(check.reasons[0].example.reason).toBe('Machines has more than 100 ids.');
  });
});

const KEYS = [
  'id,order_id,product_id,license_key,expires_at,valid_for,status,times_activated,times_activated_max',
  '1,,Chorus,KEY-0001-OPEN,,,ACTIVE,0,3',
  '2,7,Chorus,KEY-0002-SOLD,2099-12-31 00:00:00,,SOLD,0,3',
  '3,8,Chorus,KEY-0003-SENT,,,DELIVERED,1,3',
  '4,9,Chorus,KEY-0004-DEAD,,,INACTIVE,0,3',
  '5,9,Chorus,KEY-0005-OVER,2020-01-01 00:00:00,,DELIVERED,0,3',
  '',
].join('\n');

describe('keys that were sold elsewhere, without the addresses of their buyers', () => {
  const stock = () =>
    server.db.query<{ code: string; away: boolean }>(
      `select s.code, s.handed_out_at is not null as away from serials s where s.developer_id = $1 order by 1`,
      [ada.id],
    );

  it('are out of stock, and those that are inactive or have ended are left out with a reason', async () => {
    const { id, plan } = await create(KEYS);
    expect(plan.questions).toMatchObject([{ id: 'ends', message: expect.stringContaining('Leave out') }]);
    await change(id, { answers: { ends: 'revoke' } });
    const { check } = (await post(id, '/check')).body.plan;
    expect(check.reasons.map(({ example }: { example: { line: number; reason: string } }) => example)).toEqual([
      { line: 5, reason: 'This serial is not active where it came from.' },
      { line: 6, reason: 'Its license ended on 2020-01-01.' },
    ]);
    await post(id, '/run');
    await ended(id);
    expect(await stock()).toEqual([
      { code: 'KEY-0001-OPEN', away: false },
      { code: 'KEY-0002-SOLD', away: true },
      { code: 'KEY-0003-SENT', away: true },
    ]);
    const noted = await call(server, 'GET', '/api/batches?search=2099-12-31', { token: ada.token });
    expect(noted.body.rows).toMatchObject([{ quantity: 1 }]);
    // that they came as handed out keeps nobody from taking them back
    expect((await post(id, '/undo')).status).toBe(202);
    expect(await ended(id)).toMatchObject({ state: 'undone' });
    expect(await stock()).toEqual([]);
  });

  it('activate in the plugins that were sold with them, and keep their import from being taken back', async () => {
    const { id } = await imported(KEYS, { answers: { ends: 'ignore' } });
    const { plaintext } = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} }))
      .body;
    const licenses = `/legacy/${plaintext}/wp-json/lmfwc/v2/licenses`;
    const old = (action: string, query = '') => call(server, 'GET', `${licenses}/${action}${query}`);
    const sold = await old('activate/KEY-0003-SENT');
    expect([sold.status, sold.body.data?.timesActivated]).toEqual([200, 1]);
    const { token } = sold.body.data.activationData;
    expect((await old('validate/KEY-0003-SENT', `?token=${token}`)).status).toBe(200);
    // serials in stock belong to nobody yet, and new plugins ask who they are for
    expect((await old('activate/KEY-0001-OPEN')).status).toBe(404);
    const activate = (email?: string) =>
      call(server, 'POST', '/api/license/v1/activate', {
        token: plaintext,
        body: { license_key: 'KEY-0003-SENT', machine_id: 'studio', ...(email && { email }) },
      });
    expect((await activate()).body.status).toBe('email_required');
    expect((await post(id, '/undo')).body.code).toBe('import_in_use');
    expect((await activate('nina@example.com')).body).toMatchObject({ status: 'active', remaining: 1 });
    expect((await redeemed()).has('KEY-0003-SENT')).toBe(true);
    expect((await old('validate/KEY-0003-SENT', `?token=${token}`)).status).toBe(200);
  });
});

describe('a JSON file', () => {
  it('that is cut off, or of another shape, is refused in words, and nothing is kept of it', async () => {
    expect((await create('[{"key": "A-0001", ', 'a.json')).message).toContain('Was it cut off?');
    expect((await create('{"error": "no"}', 'a.json')).message).toContain('has no records');
    expect((await call(server, 'GET', '/api/imports', { token: ada.token })).body).toEqual([]);
  });

  it('has no letters or separators to change', async () => {
    const { id } = await create('[{"license_key": "JSN-0001", "product": "Chorus"}]', 'a.json');
    const refused = await change(id, { delimiter: 'tab' });
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('one way only')]);
  });
});
