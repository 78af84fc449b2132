import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canRun, compile, compiler, hasLibrary, NO_COMPILER } from './cpp-support.ts';
import { build, NO_JUCE } from './juce/build.ts';
import { EXAMPLES, filled, readVectors, start } from './support.ts';

const HERE = path.resolve('test/examples');
const values = {
  TONEROW_URL: 'https://licenses.example.com',
  PLUGIN_KEY: 'tnr_plg_0',
  PRODUCT_ID: '019cd0a0-0000-7000-8000-000000000001',
  PRODUCT_NAME: 'Röhre 2',
  JUCE_PRODUCT_ID: 'Röhre 2',
  DEVELOPER_ID: '019cd0a0-0000-7000-8000-00000000000d',
  RSA_PUBLIC_KEY: '10001,c3f1',
};
const sources = ['TonerowToken.h', 'TonerowToken.cpp', 'TonerowLicense.h', 'TonerowLicense.cpp', 'OnlineUnlock.h'];
const inPlugin = sources.filter((name) => !name.startsWith('TonerowToken'));

const compiled = async (args: string[]) => expect(await compile(args)).toBe('');
const openssl = await hasLibrary('openssl/evp.h', '-lcrypto');
const sodium = await hasLibrary('sodium.h', '-lsodium');

const noLibrary = (is: boolean, name: string) => (is ? '' : `${name} is not installed (see CONTRIBUTING.md)`);

describe.runIf(canRun('the C++ examples', compiler ? '' : NO_COMPILER))('the C++ examples', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonerow-cpp-'));
    for (const name of sources) await writeFile(path.join(folder, name), filled(`juce/${name}`, values));
    await writeFile(path.join(folder, 'sodium.h'), SODIUM);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const checked = (file: string, ...args: string[]) =>
    compiled(['-fsyntax-only', `-I${folder}`, ...args, path.join(folder, file)]);

  it.runIf(canRun('compiling the JUCE examples', NO_JUCE))(
    'OnlineUnlock and TonerowLicense compile in a plugin, without a warning',
    async () => {
      const files = Object.fromEntries(inPlugin.map((name) => [name, filled(`juce/${name}`, values)]));
      const parts = ['TonerowLicense.cpp', 'TonerowToken.cpp'];
      const program = await build('plugin', {
        sources: parts,
        defines: [openssl ? 'TONEROW_USE_OPENSSL=1' : 'TONEROW_USE_SODIUM=1'],
        filled: { ...files, 'plugin.cpp': PLUGIN },
      });
      expect((await start(program, [])).code).toBe(0);
    },
    300_000,
  );

  it('TonerowToken compiles for libsodium', () => checked('TonerowToken.cpp', '-DTONEROW_USE_SODIUM=1'));

  it('TonerowToken compiles for a verifier of one’s own', () =>
    checked('TonerowToken.cpp', '-DTONEROW_OWN_VERIFIER=1'));

  it('TonerowToken does not compile without a verifier, and explains why', async () => {
    const { code, err } = await start(compiler as string, ['-fsyntax-only', path.join(folder, 'TonerowToken.cpp')]);
    expect(code).not.toBe(0);
    expect(err).toContain('Define TONEROW_USE_SODIUM=1, TONEROW_USE_OPENSSL=1 or TONEROW_OWN_VERIFIER=1');
  });

  describe.each([
    { name: 'OpenSSL', able: openssl, define: '-DTONEROW_USE_OPENSSL=1', link: '-lcrypto' },
    { name: 'libsodium', able: sodium, define: '-DTONEROW_USE_SODIUM=1', link: '-lsodium' },
  ])('with $name', ({ name, able, define, link }) => {
    it.runIf(canRun(`TonerowToken with ${name}`, noLibrary(able, name)))(
      'TonerowToken judges all vectors rightly',
      async () => {
        const program = path.join(folder, `vectors-${name}`);
        const files = [`${EXAMPLES}/juce/TonerowToken.cpp`, `${HERE}/token-vectors.cpp`];
        await compiled([define, `-I${EXAMPLES}/juce`, ...files, link, '-o', program]);
        const { input, cases } = asLines();
        const { code, out, err } = await start(program, [], { input });
        expect(code, err).toBe(0);
        const verdicts = out.trim().split('\n');
        expect(cases.map((each, index) => [each.name, verdicts[index]])).toEqual(
          cases.map((each) => [each.name, each.verdict]),
        );
      },
    );
  });
});

/** The vectors as `token-vectors.cpp` reads them and answers. */
function asLines() {
  const { tokens, answers } = readVectors();
  const keys = tokens.jwks.keys.map(({ kid, x }) => ['key', kid, x]);
  const all = [
    ...tokens.cases.map((each) => tokenLine(tokens, each)),
    ...answers.cases.map((each) => answerLine(answers, each)),
  ];
  return {
    input: [...keys, ...all.map(({ fields }) => fields)].map((fields) => `${fields.join('\t')}\n`).join(''),
    cases: all,
  };
}

type Vectors = ReturnType<typeof readVectors>;

function tokenLine(all: Vectors['tokens'], { name, token, expected, ...own }: Vectors['tokens']['cases'][number]) {
  const { now, machine_id: machine } = { ...all, ...own };
  const fields = ['token', now, all.clock_skew_seconds, all.product_id, machine, token];
  if (!expected.valid) return { name, fields, verdict: expected.reason };
  const { serial_id, product_id, expires_at, license_ends_at, trial } = expected;
  const found = [serial_id, product_id, expires_at, license_ends_at ?? 'never', trial ? 'trial' : 'full'];
  return { name, fields, verdict: `valid ${found.join(' ')}` };
}

function answerLine(all: Vectors['answers'], { name, headers, expected, ...own }: Vectors['answers']['cases'][number]) {
  const { now, method, path, nonce } = { ...all, ...own };
  const sent = ['signature', 'date', 'nonce'].map((each) => headers[`x-tonerow-${each}`] ?? '');
  const hex = own.body_hex ?? Buffer.from(own.body ?? '').toString('hex');
  const fields = ['answer', now, method, path, nonce, ...sent, `0x${hex}`];
  return { name, fields, verdict: expected.valid ? `valid ${expected.key_id} ${expected.signed_at}` : expected.reason };
}

/** What TonerowToken uses of libsodium, as it declares it: its syntax is checked where it is not installed, too. */
const SODIUM = `#pragma once
#ifdef __cplusplus
extern "C" {
#endif
#define crypto_hash_sha256_BYTES 32U
int sodium_init (void);
int crypto_hash_sha256 (unsigned char* out, const unsigned char* in, unsigned long long inlen);
int crypto_sign_verify_detached (const unsigned char* sig, const unsigned char* m, unsigned long long mlen, const unsigned char* pk);
#ifdef __cplusplus
}
#endif
`;

/** A plugin as the comments of the examples describe it. */
const PLUGIN = `#include "OnlineUnlock.h"
#include "TonerowLicense.h"

bool processBlock();
juce::String press();
bool unlock (juce::PropertiesFile&);

bool processBlock()
{
    const juce::SharedResourcePointer<tonerow::License> license;
    return license->isUnlocked();
}

juce::String press()
{
    const juce::SharedResourcePointer<tonerow::License> license;
    license->activate ("AAAA", "nina@example.com");
    license->startTrial();
    license->readLicenseFile (license->getMachineFile());
    license->validate();
    license->refresh();
    license->deactivate();
    return license->getState().message;
}

bool unlock (juce::PropertiesFile& properties)
{
    tonerow::OnlineUnlock status (properties);
    status.onChange = [] {};
    status.validate();
    return status.isAllowed() || status.readLicenseFile ("nothing");
}

int main() {}
`;
