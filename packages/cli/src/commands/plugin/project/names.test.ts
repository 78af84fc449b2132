import { expect, it } from 'vitest';
import { namesOf } from './names.ts';

const ID = '01900000-0000-7000-8000-000000000001';
const identifier = /^[A-Za-z][A-Za-z0-9]*$/;

it('makes folders, identifiers and titles of a name', () => {
  expect(namesOf('Prism Delay', 'Ada Audio', ID)).toMatchObject({
    slug: 'prism-delay',
    target: 'PrismDelay',
    title: 'Prism Delay',
    company: 'Ada Audio',
    namespace: 'ada_audio_licensing',
    bundleId: 'com.adaaudio.prismdelay',
    manufacturerCode: 'Adaa',
  });
});

it.each([
  ['Röhre №2', 'rohre-no2', 'RohreNo2'],
  ['808', '808', 'Plugin808'],
  ['名前', 'plugin', 'Plugin'],
  ['test', 'test', 'PluginTest'],
  ['aux', 'aux-plugin', 'Aux'],
  ['../../etc; "$(rm)"', 'etc-rm', 'EtcRm'],
  ['', 'plugin', 'Plugin'],
])('turns %j into what may be a name', (name, slug, target) => {
  const names = namesOf(name, '', ID);
  expect([names.slug, names.target]).toEqual([slug, target]);
  expect(names.target).toMatch(identifier);
});

it.each(['7th Floor', 'class', '__', '東京', 'A'])('makes a namespace and codes for the company %j', (company) => {
  const { namespace, manufacturerCode, pluginCode } = namesOf('Prism', company, ID);
  expect(namespace).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/);
  for (const code of [manufacturerCode, pluginCode]) expect(code).toMatch(/^[A-Z][a-z]{3}$/);
});
