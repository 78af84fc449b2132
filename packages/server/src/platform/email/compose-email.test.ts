import { describe, expect, it } from 'vitest';
import { contrast, textOn } from './brand.ts';
import { composeEmail } from './compose-email.ts';

const base = { to: 'nina@example.com', subject: 'Hello', lines: ['Hello.'] };

describe('an email', () => {
  it('never lets input become a header', () => {
    const email = composeEmail({
      ...base,
      to: 'nina@example.com\r\nBcc: everybody@example.com',
      subject: 'One\r\nBcc: a@example.com\u2028Two\tThree\u0000',
      brand: {
        name: 'Row\r\nBcc: b@example.com',
        color: '#000000',
        supportEmail: 'help@row.example\nBcc:c@example.com',
      },
    });
    expect(email.subject).toBe('One Bcc: a@example.com Two Three');
    for (const value of [email.to, email.subject, email.fromName, email.replyTo])
      expect(value).not.toMatch(/[\p{Cc}\u2028]/u);
  });

  it('limits a subject to 200 characters without cutting an emoji', () => {
    const family = '👩‍👩‍👧‍👦';
    const { subject } = composeEmail({ ...base, subject: family.repeat(100) });
    expect(subject.length).toBeLessThanOrEqual(200);
    expect(subject.replaceAll(family, '')).toBe('…');
    expect(composeEmail({ ...base, subject: 'x'.repeat(200) }).subject).toBe('x'.repeat(200));
  });

  it('strips direction overrides from a subject, and leaves right-to-left text as it is', () => {
    const email = composeEmail({ ...base, subject: 'מתופף \u202eexe.dmg\u202c', lines: ['مرحبا'] });
    expect(email.subject).toBe('מתופף exe.dmg');
    expect(email.html).toContain('<p dir="auto" style="margin:0 0 16px">مرحبا</p>');
  });

  it('shows a code as it is typed, in a box of its own and on a line of its own', () => {
    const email = composeEmail({ ...base, serial: { label: 'Serial', code: 'K7QM-<2XWN>' } });
    expect(email.html).toMatch(/monospace;[^>]*>K7QM-&lt;2XWN&gt;</);
    expect(email.text).toContain('\n\nSerial\nK7QM-<2XWN>\n\n');
  });

  it('begins with its brand, and has its subject in a headline', () => {
    const brand = { name: 'Row & Co', color: '#000000' };
    expect(composeEmail({ ...base, brand }).html).toMatch(/Row &amp; Co<\/p>.*<h1[^>]*>Hello<\/h1>/);
    const logo = composeEmail({ ...base, brand: { ...brand, logoUrl: 'https://row.example/l.png' } }).html;
    expect(logo).toContain('alt="Row &amp; Co" class="logo"');
    expect(composeEmail(base).html).toMatch(/class="note".*Tonerow<\/td>.*<h1/);
  });

  it('lines up figures beside names, and leaves values beside their labels', () => {
    const { html } = composeEmail({
      ...base,
      rows: [
        ['Hall', '1,203', '$12.00', '5 redemptions'],
        ['Amount', '$12.00'],
      ],
    });
    expect(html.match(/text-align:right/g)).toHaveLength(3);
    expect(html).toMatch(/<td class="line muted"[^>]*>Amount<\/td>/);
  });

  it('escapes markup everywhere', () => {
    const evil = '"><script>alert(1)</script>';
    const { html } = composeEmail({
      to: 'nina@example.com',
      subject: evil,
      lines: [evil],
      serial: { label: evil, code: evil },
      rows: [[evil, evil]],
      link: { label: evil, url: `https://example.com/${evil}` },
      brand: { name: evil, color: `red;${evil}`, logoUrl: `https://example.com/${evil}`, supportEmail: evil },
      unsubscribeUrl: `https://example.com/?${evil}`,
    });
    expect(html).not.toContain('<script');
    expect(html).toContain('background:#6d28d9;color:#ffffff');
  });

  it('accepts names of any length', () => {
    const name = '🎛️ מתופף '.repeat(55);
    const email = composeEmail({
      ...base,
      subject: `${name} is yours`,
      lines: [name],
      brand: { name, color: '#000000' },
    });
    expect([email.subject.length <= 200, (email.fromName ?? '').length <= 80]).toEqual([true, true]);
    expect(email.text).toContain(name);
    expect(email.html).toContain('overflow-wrap:anywhere');
    expect(email.subject.isWellFormed() && email.fromName?.isWellFormed()).toBe(true);
  });

  it('breaks only long words in a table, so that labels and amounts stay whole beside them', () => {
    const { html } = composeEmail({ ...base, rows: [['Product', 'W'.repeat(80), '$1,234,567.89']] });
    const wraps = [...html.matchAll(/<td class="line" dir="auto" style="overflow-wrap:(\w+)/g)].map(
      (match) => match[1],
    );
    expect(wraps).toEqual(['normal', 'anywhere', 'normal']);
  });

  it('fits the phone’s width, and keeps the proportions of a wide logo and the contrast of a light button', () => {
    const brand = { name: 'Row', color: '#ffffff', logoUrl: 'https://row.example/logo.png' };
    const { html } = composeEmail({
      ...base,
      subject: '<Hello>',
      link: { label: 'Open', url: 'https://row.example' },
      brand,
    });
    expect(html).toContain('content="width=device-width"');
    expect(html).toContain('<title>&lt;Hello&gt;</title>');
    expect(html).toContain('width:auto;height:auto;max-width:200px;max-height:40px');
    expect(html).toContain('border:1px solid #71717a');
    expect(composeEmail({ ...base, link: { label: 'Open', url: 'https://row.example' } }).html).toContain(
      'border:1px solid #6d28d9',
    );
  });

  it('has a picture with a text in its place, a list with a title, and both in its plain text', () => {
    const picture = { url: 'https://row.example/p.png', alt: '"Delay" <2>' };
    const list = {
      title: 'Files',
      rows: [
        ['Mac.pkg', '12 MB'],
        ['Windows.exe', ''],
      ],
    };
    const email = composeEmail({ ...base, picture, list, words: { language: 'ja', help: 'お問い合わせ' } });
    expect(email.html).toContain('<img src="https://row.example/p.png" alt="&quot;Delay&quot; &lt;2&gt;"');
    expect(email.html).toContain('<html lang="ja">');
    expect(email.text).toContain('Files\nMac.pkg · 12 MB\nWindows.exe');
    expect(composeEmail({ ...base, picture: { ...picture, url: '/media/p.webp' } }).html).not.toContain('<img');
  });

  it.each(['#ffffff', '#ffe600', '#000000', '#131217', '#6d28d9', '#777777'])(
    'has a dark version in which a button of %s and all text can be seen',
    (color) => {
      const { html } = composeEmail({
        ...base,
        brand: { name: 'Row', color },
        link: { label: 'Go', url: 'https://a.b' },
      });
      expect(html).toContain('<meta name="color-scheme" content="light dark">');
      const dark = /@media\(prefers-color-scheme:dark\)\{(.*?)\}\}/.exec(html)?.[1] ?? '';
      const of = (rule: string) =>
        new RegExp(`\\.${rule}\\{(?:background|color|border-color):(#\\w{6})`).exec(dark)?.[1] ?? '';
      const text = /\.paper\{[^}]*;color:(#\w{6})/.exec(dark)?.[1] ?? '';
      for (const ground of ['paper', 'card', 'plate'])
        for (const ink of [text, of('muted')]) expect(contrast(ink, of(ground))).toBeGreaterThanOrEqual(4.5);
      // the name in place of a logo that is not loaded
      const [, plate = '', ink = ''] = /\.logo\{background:(#\w{6});color:(#\w{6})/.exec(dark) ?? [];
      expect(contrast(ink, plate)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(of('button'), of('card'))).toBeGreaterThanOrEqual(3);
      // without its style sheet it is the light version, on its own paper
      expect(html).toContain('<body class="paper" style="margin:0;background:#f7f7f8;color:#18181b');
    },
  );

  it('shows images by absolute URL only', () => {
    const brand = { name: 'Row', color: '#000000' };
    const at = (logoUrl: string) => composeEmail({ ...base, brand: { ...brand, logoUrl } }).html;
    expect(at('https://row.example/logo.png')).toContain('<img src="https://row.example/logo.png"');
    expect(at('javascript:alert(1)')).not.toContain('<img');
    expect(at('/media/logo.webp')).not.toContain('<img');
  });

  it('has one-click unsubscribe when it is optional', () => {
    const email = composeEmail({ ...base, unsubscribeUrl: 'https://example.com/api/unsubscribe?token=abc' });
    expect(email.headers).toEqual({
      'List-Unsubscribe': '<https://example.com/api/unsubscribe?token=abc>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
    expect(email.text).toContain('Unsubscribe: https://example.com/api/unsubscribe?token=abc');
    expect(composeEmail(base)).not.toHaveProperty('headers');
  });
});

it('picks a readable text color for every background color', () => {
  expect([textOn('#000000'), textOn('#ffffff'), textOn('#ffe600'), textOn('#6d28d9')]).toEqual([
    '#ffffff',
    '#18181b',
    '#18181b',
    '#ffffff',
  ]);
  for (let grey = 0; grey < 256; grey += 1) {
    const color = `#${grey.toString(16).padStart(2, '0').repeat(3)}`;
    expect(contrast(color, textOn(color))).toBeGreaterThan(4.1);
  }
});
