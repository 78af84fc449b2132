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

  soldSubject: 'Votre code pour {product}',
  soldText:
    '{reseller} vous a vendu {product} de {developer}. Activez ce code pour qu’il soit à vous et pour le télécharger.',
  soldKeep: 'D’ici là, gardez cet e-mail pour vous : toute personne qui a le code peut l’activer.',
  soldUnasked: 'Si vous ne l’avez pas acheté, ignorez cet e-mail.',
  orderedSubject: 'Vos codes de {developer}',
  orderedText:
    'Merci pour votre commande {order}. Activez chaque code pour que le produit soit à vous et pour le télécharger.',
  orderLinkSubject: 'Votre commande chez {developer}',
  orderLinkText: 'Quelqu’un, vous sans doute, a demandé les codes de votre commande chez {developer}.',
  orderLinkLasts: 'Le lien les affiche et reste valable 24 heures. Si ce n’était pas vous, ignorez cet e-mail.',
  quietLinkSubject: 'Les codes de votre commande',
  quietLinkText: 'Quelqu’un, vous sans doute, a demandé les codes d’une commande de plugins audio.',
  redeemBy: 'À activer avant le',
  redeem: 'Activer votre code',

  leftSubject: 'Votre adresse e-mail chez {developer} a changé',
  leftText:
    '{developer} a remplacé l’adresse e-mail de vos produits par {address}. Désormais, ils s’ouvrent avec cette adresse.',
  leftUnasked: 'Si vous ne l’avez pas demandé, contactez l’éditeur.',

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
  mineLast:
    'Le lien les ouvre, avec leurs numéros de série et leurs ordinateurs. C’est le dernier pour l’instant, et il fonctionne pendant 24 heures. Si ce n’était pas vous, ignorez cet e-mail.',
  mineOpen: 'Ouvrir tous mes produits',

  seatCodeSubject: 'Code pour les ordinateurs de votre plugin {developer}',
  seatCodeSubjectClosed: 'Code pour les ordinateurs de votre plugin',
  seatCodeText:
    'Quelqu’un, vous sans doute, veut voir quels ordinateurs utilisent votre licence, pour libérer l’un d’eux. Saisissez ce code dans le plugin.',
  seatCodeLasts:
    'Il est valable 15 minutes. Ne le donnez à personne qui vous le demande. Si ce n’était pas vous, ignorez cet e-mail : rien ne change sans le code.',
  seatCode: 'Votre code',

  closedSubject: '{developer} a fermé son compte',
  closedText:
    '{developer} utilisait Tonerow pour les licences de ses plugins et a fermé ce compte. Ce qui vous appartient continue de fonctionner : vos plugins restent valides et vous pouvez toujours les activer sur vos ordinateurs.',
  closedDownload:
    'Téléchargez vos fichiers dès maintenant et conservez cet e-mail : avec le numéro de série et cette adresse, vous pourrez ouvrir vos téléchargements tant que les fichiers existent.',
  closedUnredeemed:
    'Les numéros de série qui n’ont jamais été activés ne peuvent plus l’être. Si vous en avez un, demandez un remboursement à la boutique qui l’a vendu.',

  quietSoldSubject: 'Votre code pour un plugin audio',
  quietSoldText:
    'On vous a vendu ce code pour un plugin audio. La page ci-dessous montre à quoi il sert et enregistre le plugin à votre nom.',
  quietOrderedSubject: 'Vos codes pour des plugins audio',
  quietOrderedText:
    'Ces codes pour des plugins audio vous ont été vendus. La page ci-dessous montre à quoi sert chacun d’eux et vous permet de l’activer.',
  quietGivenSubject: 'Un numéro de série d’un plugin audio est à vous',
  quietGivenText:
    'L’éditeur d’un plugin audio a attribué un numéro de série à cette adresse e-mail. Ouvrez-le pour voir de quoi il s’agit et pour le télécharger.',
  quietMovedSubject: 'Un numéro de série d’un plugin audio a changé de propriétaire',
  quietMovedText:
    'L’éditeur d’un plugin audio a transféré à un autre propriétaire un numéro de série qui appartenait à cette adresse e-mail. Il ne s’ouvre plus avec cette adresse.',
  quietAddressSubject: 'Des plugins audio ont été associés à votre adresse e-mail',
  quietAddressText:
    'L’éditeur de plugins audio a associé des numéros de série à cette adresse e-mail. Ouvrez-les pour voir de quoi il s’agit et pour les télécharger.',
  quietLeftSubject: 'Votre adresse e-mail chez un éditeur de plugins a été modifiée',
  quietLeftText:
    'L’éditeur de plugins audio a modifié l’adresse e-mail de vos numéros de série. Ils ne s’ouvrent plus avec cette adresse.',
  quietVersionSubject: 'Il y a une nouvelle version d’un plugin audio',
  quietVersionText:
    'Un plugin audio activé avec cette adresse e-mail a une nouvelle version. Ouvrez vos téléchargements pour l’obtenir. Ensuite, son éditeur pourra vous en dire plus dans ces e-mails ; d’ici là, ils arrivent au plus une fois par mois.',
  quietClosedSubject: 'Un éditeur de plugins a fermé son compte',
  quietClosedText:
    'L’éditeur de plugins audio activés avec cette adresse e-mail utilisait Tonerow pour leurs licences, et a fermé ce compte. Ce qui vous appartient continue de fonctionner : vos plugins sont toujours validés, et vous pouvez les activer sur vos ordinateurs comme avant.',
  quietMaker: 'L’adresse e-mail de l’éditeur est {maker}.',
  quietSeller: 'L’adresse e-mail du vendeur est {seller}.',
  quietIgnore: 'Si cela ne vous dit rien, ignorez cet e-mail.',

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
