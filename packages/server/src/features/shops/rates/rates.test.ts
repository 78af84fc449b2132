import { expect, it } from 'vitest';
import { centsAt } from '../money.ts';
import { ratesIn } from './rates.service.ts';

const file = (days: string) => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
<gesmes:subject>Reference rates</gesmes:subject><Cube>${days}</Cube></gesmes:Envelope>`;

it('reads what a euro, and through it each other currency, is worth in dollars on each day', () => {
  const rates = ratesIn(
    file(`<Cube time="2026-11-26"><Cube currency="USD" rate="1.0800"/><Cube currency="JPY" rate="162.00"/></Cube>
      <Cube time='2026-11-25'><Cube currency='USD' rate='1.1000'/><Cube currency='GBP' rate='0.8800'/></Cube>`),
  );
  expect(rates).toEqual([
    { currency: 'EUR', day: '2026-11-26', usd: '1.0800000000' },
    { currency: 'JPY', day: '2026-11-26', usd: '0.0066666667' },
    { currency: 'EUR', day: '2026-11-25', usd: '1.1000000000' },
    { currency: 'GBP', day: '2026-11-25', usd: '1.2500000000' },
  ]);
  expect(centsAt(9800, 'EUR', rates[0]?.usd as string)).toBe(10_584);
  expect(centsAt(4500, 'JPY', rates[1]?.usd as string)).toBe(3000);
});

it('leaves out what is no rate, and a day that has nothing of the dollar', () => {
  expect(ratesIn(file('<Cube time="2026-11-26"><Cube currency="JPY" rate="162.00"/></Cube>'))).toEqual([]);
  expect(
    ratesIn(
      file(
        '<Cube time="2026-11-26"><Cube currency="USD" rate="1.08"/><Cube currency="GBP" rate="0"/><Cube currency="CHF" rate="-1"/></Cube>',
      ),
    ).map(({ currency }) => currency),
  ).toEqual(['EUR']);
  expect(ratesIn('<html>Closed for the day</html>')).toEqual([]);
  expect(ratesIn('')).toEqual([]);
});
