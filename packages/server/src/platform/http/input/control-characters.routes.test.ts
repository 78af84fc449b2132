import { call, makeProduct, type Person, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
});
const post = (path: string, body: object) => call(server, 'POST', path, { token: ada.token, body });
const refused = async (path: string, field: string, body: object) => {
  const { status, body: problem } = await post(path, body);
  return [status, problem.errors?.[0]?.path ?? problem.message, field];
};

it.each(['\u001b[2J', '\u0007', '\u007f', '\u0085'])(
  'no text of an account has a control character: %j',
  async (text) => {
    const name = `Prism${text}`;
    expect(await refused('/api/products', 'name', { name })).toEqual([400, 'name', 'name']);
    expect(await refused('/api/products', 'long_desc', { name: 'Prism', long_desc: name })).toEqual([
      400,
      'long_desc',
      'long_desc',
    ]);
    expect(await refused('/api/developer/plugin-keys', 'label', { label: name })).toEqual([400, 'label', 'label']);
    expect(await refused('/api/products', '', { name: 'Prism', feature_list: ['a', name] })).toEqual([
      400,
      'feature_list.1',
      '',
    ]);
  },
);

it.each(['a\nb', 'a\rb', 'a\tb', 'a\u2028b'])('a name is one line: %j', async (name) => {
  expect(await refused('/api/products', 'name', { name })).toEqual([400, 'name', 'name']);
  const { id } = await makeProduct(server, ada.token);
  for (const field of ['batch_tag', 'new_reseller_name'])
    expect(await refused('/api/serials/generate', field, { product_id: id, [field]: name })).toEqual([
      400,
      field,
      field,
    ]);
  const person = { first_name: name, last_name: 'L', email: 'l@example.com', password: 'a long enough one' };
  expect(await refused('/api/auth/register', '', person)).toEqual([400, 'first_name', '']);
});

it('a longer text has lines, and a password has what it likes', async () => {
  const { id } = await makeProduct(server, ada.token, { long_desc: 'One\r\n\tTwo' });
  expect(id).toBeTruthy();
  const odd = await post('/api/auth/login', { email: ada.email, password: 'a wrong\u0007 password' });
  expect(odd.status).toBe(401);
});
