import { describe, expect, it } from 'vitest';
import { SOURCE } from '../../scripts/plugin/builds.ts';
import { canRun } from './cpp-support.ts';
import { build, NO_JUCE } from './juce/build.ts';
import { filled, start } from './support.ts';

const values = {
  TONEROW_URL: 'https://licenses.example.com',
  PLUGIN_KEY: 'tnr_plg_0',
  PRODUCT_ID: '019cd0a0-0000-7000-8000-000000000001',
  PRODUCT_NAME: 'Röhre 2',
  JUCE_PRODUCT_ID: 'Röhre 2',
  DEVELOPER_ID: '019cd0a0-0000-7000-8000-00000000000d',
  RSA_PUBLIC_KEY: '10001,c3f1',
};
const names = ['MyLicense.h', 'OnlineUnlock.h'];

describe.runIf(canRun('the JUCE examples', NO_JUCE))('the JUCE examples', () => {
  it('compile in a plugin without a warning, and unlock nothing with keys that are nobody’s', async () => {
    const files = Object.fromEntries(names.map((name) => [name, filled(`juce/${name}`, values)]));
    const program = await build('plugin', {
      sources: [`${SOURCE}/tonerow_juce/tonerow_juce.cpp`],
      defines: ['TONEROW_USE_OPENSSL=1'],
      includes: [SOURCE],
      filled: { ...files, 'plugin.cpp': PLUGIN },
    });
    expect(await start(program, [])).toMatchObject({ code: 0, out: 'unlicensed' });
  }, 300_000);
});

/** A plugin as the comments of the examples describe it. */
const PLUGIN = `#include "MyLicense.h"
#include "OnlineUnlock.h"

#include <iostream>

bool unlock (juce::PropertiesFile&);

bool unlock (juce::PropertiesFile& properties)
{
    tonerow::OnlineUnlock status (properties);
    status.onChange = [] {};
    status.validate();
    return status.isAllowed() || status.readLicenseFile ("nothing");
}

int main()
{
    const juce::SharedResourcePointer<MyLicense> license;
    tonerow::Gate gate;
    float samples[64] = {};
    float* channels[] = { samples };
    gate.prepare (48000.0, license->isUnlocked());
    license->processed (64, 48000.0);
    gate.process (channels, 1, 64, license->isUnlocked());
    std::cout << tonerow::nameOf (license->view().state) << std::flush;
    return license->isUnlocked() ? 1 : 0;
}
`;
