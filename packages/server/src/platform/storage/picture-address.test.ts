import { expect, it } from 'vitest';
import { isPictureAddress } from './picture-address.ts';

it.each([
  '/media/images/0190a1b2-0000-7000-8000-000000000000.webp',
  'https://example.com/logo.png',
  'HTTPS://example.com:8443/a..b/logo.png?v=1..2#x',
  'https://example.com/größe.png',
])('%s is a picture', (address) => expect(isPictureAddress(address)).toBe(true));

it.each([
  'http://example.com/logo.png',
  'javascript:alert(1)',
  'data:image/png;base64,AAAA',
  '//example.com/logo.png',
  '/media/images/../../etc/passwd',
  '/media/../api/auth/me',
  '/media/files/0190a1b2-0000-7000-8000-000000000000',
  'https://example.com/../logo.png',
  'https://example.com/a/%2e%2E/logo.png',
  'https://example.com/a/..',
  'https://example.com\\..\\logo.png',
  'https://nina:secret@example.com/logo.png',
  'https://localhost/logo.png',
  'https://example.com/a b.png',
  'example.com/logo.png',
  'https://',
])('%s is none', (address) => expect(isPictureAddress(address)).toBe(false));
