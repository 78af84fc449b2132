// A developer's and a plugin's first calls with the packed SDK; run as CommonJS and as a module, by every Node, Bun and Deno.
const assert = require('node:assert/strict');

module.exports = async function journey(sdk, loadNode) {
  // undici, which nodeFetch uses, needs Node 22 in its current version; the others have a fetch of their own
  const isNode = !process.versions.bun && !process.versions.deno;
  const hasUndici = isNode && Number.parseInt(process.versions.node, 10) >= 22;
  const { fetch, close } = hasUndici ? (await loadNode()).nodeFetch() : {};
  const baseUrl = process.env.TONEROW_URL;
  const developer = sdk.createClient({ baseUrl, token: process.env.TONEROW_TOKEN, fetch });
  const name = `Packed ${process.version} ${Math.random()}`;
  const product = await developer.products.create({ name, trial_days: 14 });
  const batch = await developer.serials.generate({ product_id: product.id, quantity: 2 });
  const codes = [];
  for await (const serial of developer.paginate.serials.list({ product_id: product.id, limit: 1 }))
    codes.push(serial.code);
  assert.deepEqual(codes.sort(), batch.serials.map((serial) => serial.code).sort());
  await assert.rejects(developer.products.get(batch.batch_id), sdk.NotFoundError);
  await assert.rejects(developer.products.create({}), (error) => {
    assert.ok(error instanceof sdk.InvalidRequestError);
    assert.deepEqual(error.errors, [{ path: 'name', message: 'Required.' }]);
    return true;
  });

  const { plaintext } = await developer.pluginKeys.create({ label: 'Packed' });
  const plugin = sdk.createClient({ baseUrl, token: plaintext });
  const machine_id = 'a-machine';
  await assert.rejects(
    plugin.licenses.activate({ license_key: codes[0], machine_id }),
    (error) => error instanceof sdk.TonerowError && error.code === 'email_required',
  );
  const license = await plugin.licenses.activate({ license_key: codes[0], machine_id, email: 'nina@example.com' });
  assert.equal(license.status, 'active');
  const trial = await plugin.licenses.startTrial({ product_id: product.id, machine_id });
  const jwks = await plugin.licenses.getKeys({ dev: process.env.TONEROW_DEVELOPER });
  const expected = { productId: product.id, machineId: machine_id };
  assert.equal((await sdk.verifyLicense(license.validation_token, jwks, expected)).trial, false);
  assert.equal((await sdk.verifyLicense(trial.validation_token, jwks, expected)).trial, true);

  const controller = new AbortController();
  const states = [];
  const onState = (state) => {
    states.push(state);
    controller.abort();
  };
  for await (const _event of sdk.watchEvents(developer, { signal: controller.signal, onState }));
  assert.deepEqual(states, ['open']);
  await close?.();
  process.stdout.write('done\n');
};
