import { expect, it } from 'vitest';
import { hostName, hostOfHeader, isWithin } from './hosts.ts';

it.each([
  ['app.row.example', 'app.row.example'],
  [' APP.Row.Example. ', 'app.row.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
  ['foo。example', 'foo.example'],
  [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
])('%j is the host %j', (text, host) => {
  expect(hostName(text)).toBe(host);
});

it.each([
  '',
  ' ',
  '.',
  'localhost',
  'app.localhost',
  'row',
  'row.',
  'row.e',
  'row.123',
  'row.e1',
  '127.0.0.1',
  '1.2.3.4.',
  '0x7f.1',
  '[::1]',
  '::1',
  'a..b.example',
  '.row.example',
  'row.example..',
  '-a.example',
  'a-.example',
  'a_b.example',
  '*.row.example',
  'row.example:443',
  'https://row.example',
  'row.example/redeem',
  'ada@row.example',
  'row.example?x',
  'row.example#x',
  'row.example\\x',
  '%72ow.example',
  'ro w.example',
  'row.example\n.other.example',
  'row\0.example',
  'xn--a.example\u0000',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(124)}example`,
  'a'.repeat(10_000),
])('%j is no host', (text) => {
  expect(hostName(text)).toBeNull();
});

it('reads a Host header with a port, and nothing that was made up', () => {
  expect(hostOfHeader('APP.row.example.:8443')).toBe('app.row.example');
  expect(hostOfHeader('app.row.example')).toBe('app.row.example');
  for (const header of [
    '',
    '127.0.0.1:4000',
    'localhost:4000',
    '[::1]:4000',
    'app.row.example:',
    'app.row.example:x',
    'app.row.example:1:2',
    'app.row.example, other.example',
    'app.row.example/../x',
    'ada@app.row.example',
    'b\u00fccher.example',
    ' app.row.example',
    '/',
    '%',
    'a'.repeat(301),
  ]) {
    expect(hostOfHeader(header), header).toBeNull();
  }
});

it('distinguishes a subdomain of a host from a name that merely ends the same', () => {
  expect(isWithin('row.example', 'row.example')).toBe(true);
  expect(isWithin('app.row.example', 'row.example')).toBe(true);
  expect(isWithin('arow.example', 'row.example')).toBe(false);
});
