import { describe, expect, it } from 'vitest';
import { UsageError } from '#exit.ts';
import { proxyFor } from './proxy.ts';

const PROXY = 'http://proxy.example.com:3128';
const HTTPS = { HTTPS_PROXY: PROXY };

describe('the proxy for a server', () => {
  it.each([
    ['https://licenses.example.com', HTTPS, 'HTTPS_PROXY'],
    ['https://licenses.example.com', { https_proxy: PROXY, HTTPS_PROXY: 'http://other.example.com' }, 'HTTPS_PROXY'],
    ['http://licenses.example.com', { HTTP_PROXY: 'proxy.example.com:3128' }, 'HTTP_PROXY'],
    ['http://licenses.example.com', { http_proxy: PROXY, NO_PROXY: 'ample.com, other.example.com' }, 'HTTP_PROXY'],
    ['https://licenses.example.com', { ...HTTPS, NO_PROXY: 'example.com:8443' }, 'HTTPS_PROXY'],
    ['https://10.1.2.3', { ...HTTPS, NO_PROXY: '10.2.0.0/16' }, 'HTTPS_PROXY'],
  ])('of %s with %j is the one in %s', (server, env, source) => {
    const found = proxyFor(server, env);
    expect(found).toEqual({ address: PROXY, origin: PROXY, source });
  });

  it.each([
    ['http://licenses.example.com', HTTPS],
    ['https://licenses.example.com', { HTTP_PROXY: PROXY }],
    ['https://licenses.example.com', { HTTPS_PROXY: '' }],
    ['https://licenses.example.com', { ...HTTPS, NO_PROXY: '*' }],
    ['https://licenses.example.com', { ...HTTPS, NO_PROXY: 'other.com, Example.com' }],
    ['https://licenses.example.com', { ...HTTPS, no_proxy: '.example.com' }],
    ['https://licenses.example.com', { ...HTTPS, NO_PROXY: '*.example.com other.com' }],
    ['https://licenses.example.com', { ...HTTPS, NO_PROXY: 'licenses.example.com:443' }],
    ['https://10.1.2.3', { ...HTTPS, NO_PROXY: '10.0.0.0/8' }],
    ['https://[fd00::5]', { ...HTTPS, NO_PROXY: 'fd00::/8' }],
    ['https://[fd00::5]', { ...HTTPS, NO_PROXY: 'fd00::5' }],
    ['https://127.0.0.1:4000', HTTPS],
    ['https://[::1]:4000', HTTPS],
    ['https://localhost', HTTPS],
  ])('of %s with %j is none', (server, env) => {
    expect(proxyFor(server, env)).toBeUndefined();
  });

  it('is shown without its password', () => {
    const env = { HTTPS_PROXY: 'http://ada:secret@proxy.example.com:3128' };
    expect(proxyFor('https://licenses.example.com', env)).toEqual({
      address: env.HTTPS_PROXY,
      origin: PROXY,
      source: 'HTTPS_PROXY',
    });
  });

  it.each(['socks5://proxy.example.com', 'http://', 'a proxy'])('cannot be "%s"', (given) => {
    expect(() => proxyFor('https://licenses.example.com', { HTTPS_PROXY: given })).toThrow(UsageError);
  });
});
