// A developer's and a plugin's first calls with the packed SDK; run as CommonJS and from a module, by every Node.
const assert = require('node:assert/strict');

module.exports = async function journey(sdk, loadNode) {
  // undici, which nodeFetch uses, needs Node 22 in its current version
  const { fetch, close } =
    Number.parseInt(process.versions.node, 10) < 22 ? { fetch: undefined } : (await loadNode()).nodeFetch();
  const baseUrl = process.env.TONEROW_URL;
  const developer = sdk.createClient({ baseUrl, token: process.env.TONEROW_TOKEN, fetch });
  const product = await developer.createProduct({
    body: { name: `Packed ${process.version} ${Math.random()}`, trial_days: 14 },
  });
  const batch = await developer.generateSerials({ body: { product_id: product.id, quantity: 2 } });
  const codes = [];
  for await (const serial of developer.paginate.listSerials({ query: { product_id: product.id, limit: 1 } }))
    codes.push(serial.code);
  assert.deepEqual(codes.sort(), batch.serials.map((serial) => serial.code).sort());
  await assert.rejects(developer.getProduct({ path: { id: batch.batch_id } }), sdk.NotFoundError);
  await assert.rejects(developer.createProduct({ body: {} }), (error) => {
    assert.ok(error instanceof sdk.InvalidRequestError);
    assert.deepEqual(error.errors, [{ path: 'name', message: 'Required.' }]);
    return true;
  });

  const { plaintext } = await developer.createPluginKey({ body: { label: 'Packed' } });
  const plugin = sdk.createClient({ baseUrl, token: plaintext });
  const machineId = 'a-machine';
  await assert.rejects(
    plugin.activateLicense({ body: { license_key: codes[0], machine_id: machineId } }),
    (error) => error instanceof sdk.TonerowError && error.code === 'email_required',
  );
  const license = await plugin.activateLicense({
    body: { license_key: codes[0], machine_id: machineId, email: 'nina@example.com' },
  });
  assert.equal(license.status, 'active');
  const trial = await plugin.startTrial({ body: { product_id: product.id, machine_id: machineId } });
  const jwks = await plugin.getLicenseKeys({ query: { dev: process.env.TONEROW_DEVELOPER } });
  const verdict = await sdk.verifyLicense(trial.validation_token, jwks, { productId: product.id, machineId });
  assert.equal(verdict.valid, true);

  const controller = new AbortController();
  const states = [];
  const watch = sdk.watchEvents(developer, {
    signal: controller.signal,
    onState: (state) => {
      states.push(state);
      controller.abort();
    },
  });
  for await (const _event of watch);
  assert.deepEqual(states, ['open']);
  await close?.();
  process.stdout.write('done\n');
};
