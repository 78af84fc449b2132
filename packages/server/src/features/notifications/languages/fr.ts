import type { EmailTexts } from './en.ts';

export const fr: EmailTexts = {
  hello: 'Bonjour,',
  helloName: 'Bonjour {name},',
  needHelp: 'Besoin d’aide ? {ways}',
  or: 'ou',
  help: 'Aide',
  product: 'Produit',
  serial: 'Numéro de série',
  files: 'Fichiers',
  open: 'Ouvrir vos téléchargements',

  redeemedSubject: '{product} est à vous',
  redeemedText:
    'Vous avez activé {product}. Conservez cet e-mail : avec le numéro de série et cette adresse, vous pouvez rouvrir vos téléchargements.',

  leftSubject: 'Votre adresse e-mail chez {developer} a changé',
  leftText:
    '{developer} a remplacé l’adresse e-mail de vos produits par {address}. Désormais, ils s’ouvrent avec cette adresse.',
  leftUnasked: 'Si vous ne l’avez pas demandé, contactez l’éditeur.',

  givenSubject: 'Vos produits de {developer} ont une nouvelle adresse e-mail',
  givenText:
    '{developer} a rattaché vos produits à cette adresse e-mail. Utilisez-la avec vos numéros de série pour ouvrir vos téléchargements.',

  movedSubject: '{product} a changé de propriétaire',
  movedText:
    '{developer} a transféré {product} ({code}) à un autre propriétaire. Il ne s’ouvre plus avec votre adresse e-mail.',
  receivedSubject: '{product} est maintenant à vous',
  receivedText:
    '{developer} vous a transféré {product} ({code}). Ouvrez vos téléchargements avec cette adresse e-mail et le numéro de série.',

  mineSubject: 'Vos produits de {developer}',
  mineText: 'Quelqu’un, vous sans doute, a demandé tous les produits de {developer} liés à cette adresse e-mail.',
  mineSubjectClosed: 'Vos produits',
  mineTextClosed: 'Quelqu’un, vous sans doute, a demandé tous les produits liés à cette adresse e-mail.',
  mineLink:
    'Le lien les ouvre, avec leurs numéros de série et leurs ordinateurs, et reste valable 30 minutes. Si ce n’était pas vous, ignorez cet e-mail.',
  mineOpen: 'Ouvrir tous mes produits',

  closedSubject: '{developer} a fermé son compte',
  closedText:
    '{developer} utilisait Tonerow pour les licences de ses plugins et a fermé ce compte. Ce qui vous appartient continue de fonctionner : vos plugins restent valides et vous pouvez toujours les activer sur vos ordinateurs.',
  closedDownload:
    'Téléchargez vos fichiers dès maintenant et conservez cet e-mail : avec le numéro de série et cette adresse, vous pourrez ouvrir vos téléchargements tant que les fichiers existent.',
  closedUnredeemed:
    'Les numéros de série qui n’ont jamais été activés ne peuvent plus l’être. Si vous en avez un, demandez un remboursement à la boutique qui l’a vendu.',

  versionSubject: '{product} {version} est disponible',
  versionText:
    'Une nouvelle version de {product} est disponible : {version}. Elle est comprise dans ce qui vous appartient.',
  newVersion: 'Nouvelle version',
  updatesAsk: 'Ne plus recevoir d’e-mails de {developer} sur les nouvelles versions de vos produits ?',
  updatesStop: 'Se désabonner',
  updatesStopped:
    '{developer} ne vous écrira plus à propos des nouvelles versions. Les e-mails sur ce que vous activez continuent d’arriver.',
  updatesAgain: 'Les recevoir à nouveau',
  updatesWanted: '{developer} vous écrira à propos des nouvelles versions de vos produits.',
  updatesGone: 'Plus aucun e-mail de ce type n’est envoyé à cette adresse.',
};
