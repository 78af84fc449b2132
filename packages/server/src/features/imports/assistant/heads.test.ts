import { expect, it } from 'vitest';
import { columnsNamed, headKey } from './heads.ts';

it.each([
  [
    'Serial',
    'License Key',
    'license_key',
    'Lizenzschlüssel',
    'Seriennummer',
    'Clé de licence',
    'Clave de licencia',
    'Codice licenza',
    'シリアル番号',
    'ライセンスキー',
  ],
  ['Product', 'Product Name', 'Lineitem name', 'Produkt', 'Produit', 'Producto', 'Prodotto', '商品名'],
  [
    'Email',
    'E-mail',
    'Customer Email',
    'E-Mail-Adresse',
    'Adresse e-mail',
    'Correo electrónico',
    'Indirizzo e-mail',
    'メールアドレス',
  ],
  ['First Name', 'first_name', 'Vorname', 'Prénom', 'Nombre', 'Nome', '名'],
  ['Last Name', 'Surname', 'Nachname', 'Nom', 'Apellidos', 'Cognome', '姓'],
  ['Full Name', 'Customer Name', 'Kunde', 'Nom complet', 'Nombre completo', 'Nome e cognome', '氏名'],
  [
    'Total Price',
    'Price',
    'Amount',
    'Preis',
    'Artikelpreis',
    'Stückpreis',
    'Prix unitaire',
    'Montant',
    'Importe',
    'Prezzo',
    '価格',
    '金額',
  ],
  [
    'Purchase Date',
    'Order Date',
    'Created at',
    'Kaufdatum',
    "Date d'achat",
    'Fecha de compra',
    'Data di acquisto',
    '購入日',
  ],
  ['Country', 'Billing Country', 'Land', 'Pays', 'País', 'Paese', '国'],
  ['Reseller', 'Wiederverkäufer', 'Revendeur', 'Revendedor', 'Rivenditore', '代理店'],
  ['Active To', 'Expires', 'Gültig bis', "Date d'expiration", 'Fecha de caducidad', 'Scadenza', '有効期限'],
  [
    'License Ends',
    'Expires',
    'Expiration Date',
    'Ablaufdatum',
    "Date d'expiration",
    'Fecha de caducidad',
    'Scadenza',
    '有効期限',
  ],
  ['Machines', 'Machine IDs', 'Hardware ID', 'Activated URLs', 'Geräte', 'Ordinateurs', 'Dispositivos', 'デバイス'],
  ['Notes', 'Notizen', 'Remarques', 'Notas', 'Commenti', '備考'],
])('%s is understood in six languages', (column, ...heads) => {
  for (const head of heads) expect.soft(columnsNamed(head), head).toContain(column);
});

it.each([
  ['Vorname (Rechnung)', 'First Name'],
  ['Last Name (Billing)', 'Last Name'],
  ['E-Mail (Rechnungsadresse)', 'Email'],
  ['Billing: Country', 'Country'],
  ['Price (USD)', 'Total Price'],
  ['Prénom [Facturation]', 'First Name'],
])('%s is the %s of who pays', (head, column) => {
  expect(columnsNamed(head)).toContain(column);
});

it('finds nothing in a head that names nothing, or what is somebody else’s', () => {
  expect(columnsNamed('Whatever')).toEqual([]);
  expect(columnsNamed('First Name (Shipping)')).toEqual([]);
  expect(columnsNamed('Price (EUR)')).toEqual([]);
  expect(columnsNamed('')).toEqual([]);
});

it('compares without case, accents, signs and width', () => {
  expect(headKey('  E-Mail (Käufer) ')).toBe('e mail kaufer');
  expect(headKey('Ｅｍａｉｌ')).toBe('email');
});
