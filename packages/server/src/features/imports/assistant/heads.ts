import { fold } from '#platform/text/text.ts';
import type { Column } from '../columns/fields.ts';

/**
 * How heads of columns are called elsewhere: in English, German, French, Spanish, Italian and Japanese, and by the systems that people come
 * from. As they are compared: without case, accents and signs.
 */
const names: Readonly<Record<Exclude<Column, never>, string>> = {
  Serial: `serial, serial number, serials, serial code, code, codes, key, keys, license, license key, licence, licence key, license keys, license code, product key,
    activation code, activation key, voucher, voucher code, redemption code, registration code, software key,
    seriennummer, lizenz, lizenzschlussel, lizenzkey, lizenzcode, schlussel, aktivierungscode, gutscheincode, code de licence, cle, cle de licence,
    cle de produit, cle d activation, numero de serie, code d activation, clave, clave de licencia, licencia, codigo, codigo de licencia, numero de serie,
    codigo de activacion, codice, codice licenza, chiave, chiave di licenza, licenza, numero di serie, codice di attivazione, seriale,
    シリアル, シリアル番号, シリアルナンバー, シリアルコード, ライセンス, ライセンスキー, ライセンスコード, コード, キー, プロダクトキー`,
  Product: `product, product name, products, plugin, plug in, plugin name, item, item name, lineitem name, software, title, download, sku name, product title,
    produkt, produktname, artikel, artikelname, produit, nom du produit, article, logiciel, producto, nombre del producto, articulo, prodotto,
    nome prodotto, nome del prodotto, articolo, 製品, 製品名, 商品, 商品名, プラグイン, ソフトウェア`,
  Email: `email, e mail, email address, e mail address, mail, customer email, billing email, user email, buyer email, purchaser email, customer email address,
    email adresse, e mail adresse, mailadresse, kunden email, rechnungs email, adresse email, adresse e mail, courriel, adresse courriel, mel, correo,
    correo electronico, email del cliente, direccion de correo, indirizzo email, indirizzo e mail, email cliente, posta elettronica,
    メール, メールアドレス, eメール, 電子メール`,
  'First Name': `first name, firstname, first, given name, billing first name, forename, fname, customer first name, vorname, prenom, nombre, nombre de pila,
    nome, 名, 名前名`,
  'Last Name': `last name, lastname, last, surname, family name, billing last name, lname, customer last name, nachname, familienname, nom, nom de famille,
    apellido, apellidos, cognome, 姓, 苗字, 名字`,
  'Full Name': `name, full name, fullname, customer, customer name, billing name, user name, buyer, buyer name, purchaser, owner, client, kunde, kundenname,
    name des kunden, nom complet, client nom, nom du client, cliente, nombre completo, nombre del cliente, nome completo, nome cliente, nome e cognome,
    氏名, 名前, お名前, 顧客名, 購入者`,
  'Total Price': `total price, total, price, amount, order total, sale price, net price, paid, amount paid, price paid, purchase price, revenue, lineitem price, item price, unit price, item cost, item total, line total,
    order total amount, order line total,
    price usd, amount usd, total usd, subtotal, preis, artikelpreis, einzelpreis, stuckpreis, produktpreis, positionspreis, bestellsumme, prix unitaire, prix de l article, precio unitario, precio del articulo, prezzo unitario, prezzo articolo, gesamtpreis, gesamt, betrag, summe, verkaufspreis, bezahlt, gesamtbetrag, prix, prix total, montant, total paye, precio, precio total,
    importe, monto, total pagado, prezzo, prezzo totale, importo, totale, 価格, 金額, 合計, 値段, 販売価格, 購入金額`,
  'Purchase Date': `purchase date, date, order date, redeem date, redeemed at, date purchased, purchased at, created at, created, date created, sale date, sold at, paid at, payment date,
    transaction date, completed date, ordered at, date of purchase, purchase time, datum, kaufdatum, bestelldatum, erstellt am, verkaufsdatum, rechnungsdatum, gekauft am,
    date d achat, date de commande, date de creation, date de vente, fecha, fecha de compra, fecha de pedido, fecha de creacion, data, data di acquisto, data acquisto, data ordine,
    data di creazione, 日付, 購入日, 注文日, 購入日時, 注文日時, 作成日, 販売日`,
  Downloads: `downloads, download count, downloads used, times downloaded, anzahl downloads, telechargements, descargas, download effettuati, ダウンロード数, ダウンロード回数`,
  Revoked:
    'revoked, is revoked, disabled, suspended, blocked, gesperrt, widerrufen, revoque, revocado, revocato, 失効, 取り消し, 無効',
  Reseller: `reseller, reseller name, partner, shop, store, dealer, distributor, handler, wiederverkaufer, vertriebspartner, revendeur, boutique, revendedor, distribuidor, tienda, rivenditore, negozio,
    販売店, 代理店, リセラー`,
  Country: `country, country code, billing country, customer country, land, landercode, pays, code pays, pais, codigo de pais, paese, nazione, 国, 国名, 国コード`,
  'Promo Price':
    'promo price, promotion price, discount price, aktionspreis, angebotspreis, prix promo, prix promotionnel, precio promocional, precio de oferta, prezzo promo, prezzo promozionale, プロモ価格, セール価格, 特価',
  'Promo Expires':
    'promo expires, promo end, promo ends, aktion endet, aktionsende, fin de la promotion, fin promo, fin de la promocion, fine promo, fine promozione, プロモ終了日, セール終了日',
  'Active From':
    'active from, valid from, starts at, start date, gultig ab, gueltig ab, aktiv ab, valable a partir du, valable des, valido desde, activo desde, valido dal, attivo dal, 有効開始日, 開始日',
  'Active To': `active to, valid to, valid until, expires, expires at, expiry, expiry date, expiration, expiration date, end date, gultig bis, gueltig bis, aktiv bis, ablaufdatum, lauft ab, valable jusqu au, date d expiration,
    expiration date, valido hasta, activo hasta, fecha de caducidad, vencimiento, valido fino al, attivo fino al, scadenza, data di scadenza, 有効期限, 終了日, 期限`,
  'License Ends': `license ends, license end, licence ends, license expires, license expiry, license expiration, license valid until, expires, expires at, expiry, expiry date,
    expiration, expiration date, date expiry, valid until, end date, lizenz bis, lizenzende, gultig bis, gueltig bis, ablaufdatum, lauft ab, date d expiration,
    valable jusqu au, fecha de caducidad, vencimiento, valido hasta, scadenza, data di scadenza, valido fino al, 有効期限, 終了日, 期限`,
  'Handed Out':
    'handed out, sold, is sold, delivered, key status, code status, verkauft, ausgegeben, vendu, vendido, venduto, 販売済み',
  Machines: `machines, machine ids, machine id, machine fingerprints, activated machines, computers, computer ids, device ids, devices, hardware id, hardware ids, hwid, fingerprint,
    fingerprints, activated urls, registered domains, activated domains, sites, rechner, gerate, hardware kennung, machines activees, ordinateurs, appareils,
    equipos, dispositivos, dispositivi, computer attivati, マシン, デバイス`,
  'Batch Tag':
    'batch tag, batch, tag, tags, campaign, label, charge, kampagne, etikett, lot, campagne, etiquette, lote, campana, etiqueta, lotto, campagna, etichetta, タグ, バッチ, キャンペーン',
  Notes:
    'notes, note, comment, comments, remark, remarks, description, notiz, notizen, bemerkung, kommentar, anmerkung, remarque, remarques, commentaire, nota, notas, comentario, comentarios, commento, commenti, osservazioni, メモ, 備考, 注記, コメント',
  'Signup Date': `signup date, sign up date, registered, registered at, registration date, date registered, joined, customer since, member since, created at, created, date created, date,
    registrierdatum, registriert am, kunde seit, anmeldedatum, date d inscription, inscrit le, client depuis, fecha de registro, registrado el, cliente desde, data di registrazione, registrato il, cliente dal,
    登録日, 登録日時, 入会日`,
};

/** A head as it is compared. */
export function headKey(head: string): string {
  return fold(head.normalize('NFKC'))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const byName = new Map<string, Column[]>();
for (const [column, list] of Object.entries(names) as [Column, string][]) {
  for (const name of new Set(list.split(',').map(headKey))) byName.set(name, [...(byName.get(name) ?? []), column]);
}

/** Whose it is, or in which currency: the same to us. A delivery's address is somebody else's, perhaps. */
const beside = new Set(
  `billing, billing address, bill to, invoice, invoice address, customer, buyer, usd, us, rechnung, rechnungsadresse, kunde, kunden, kaufer, facturation,
  adresse de facturation, client, acheteur, facturacion, direccion de facturacion, cliente, fatturazione, indirizzo di fatturazione, acquirente, 請求先, 顧客`
    .split(',')
    .map(headKey),
);

/** Columns that a head can name, likeliest first: `Vorname (Rechnung)` and `Billing: First Name` are a first name. */
export function columnsNamed(head: string): readonly Column[] {
  const exact = byName.get(headKey(head));
  if (exact) return exact;
  const parts = /^(?<name>[^([]+)[([](?<about>[^)\]]+)[)\]]\s*$|^(?<about>[^:–]+)\s*[:–]\s*(?<name>.+)$/u.exec(
    head.normalize('NFKC'),
  )?.groups;
  if (!parts || !beside.has(headKey(parts.about ?? ''))) return [];
  return byName.get(headKey(parts.name ?? '')) ?? [];
}
