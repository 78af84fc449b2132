import { describe, expect, it } from 'vitest';
import { hostIn, isBare, isHost, recordHost } from './domain.ts';

describe('a domain', () => {
  it('is found in what people paste', () => {
    expect(hostIn(' https://App.Example.com/redeem?x=1 ')).toBe('app.example.com');
    expect(hostIn('app.example.com.')).toBe('app.example.com');
  });

  it.each(['app.example.com', 'a-b.example.co.uk', 'klänge.example.de', 'app.xn--fsq.xn--p1ai'])('may be %s', (host) =>
    expect(isHost(host)).toBe(true),
  );

  it.each([
    '',
    'localhost',
    'app',
    '127.0.0.1',
    'app.example.c',
    'app..example.com',
    '-a.example.com',
    'a b.example.com',
  ])('may not be “%s”', (host) => expect(isHost(host)).toBe(false));

  it('names its record by the part before the zone', () => {
    expect(recordHost('get.example.com')).toBe('get');
    expect(recordHost('get.shop.example.com')).toBe('get.shop');
    expect(recordHost('get.example.co.uk')).toBe('get');
    expect(recordHost('get.shop.example.com.au')).toBe('get.shop');
    expect(recordHost('example.com')).toBe('@');
    expect(recordHost(null)).toBe('app');
    expect(isBare('example.com')).toBe(true);
  });
});
