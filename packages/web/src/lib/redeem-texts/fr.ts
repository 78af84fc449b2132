import type { Texts } from './en.ts';

export const fr: Texts = {
  title: 'Activez votre numéro de série',
  intro: 'Saisissez le code reçu avec votre achat. Il débloque vos téléchargements.',
  serial: 'Numéro de série',
  serialHint:
    'Les majuscules, les espaces et les tirets n’ont pas d’importance. Vous pouvez coller l’e-mail en entier.',
  serialFound: 'Nous avons trouvé ce numéro dans le texte collé.',
  serialNeeded: 'Saisissez votre numéro de série.',
  email: 'E-mail',
  emailHint: 'Votre plugin sera associé à cette adresse.',
  emailNeeded: 'Saisissez votre adresse e-mail, par exemple vous@example.com.',
  continue: 'Continuer',
  checking: 'Vérification',
  lost: 'Numéro de série perdu ?',
  find: 'Retrouver mes produits',

  nameTitle: 'À qui est-il destiné ?',
  nameIntro: 'Nous ne le demandons qu’une fois. Votre plugin sera enregistré à ce nom.',
  firstName: 'Prénom',
  lastName: 'Nom',
  submit: 'Valider',
  back: 'Utiliser un autre numéro',
  namesNeeded: 'Veuillez saisir votre prénom et votre nom',

  downloadsTitle: 'Vos téléchargements',
  downloadsIntro: 'Conservez le numéro de série : votre plugin vous le demandera au démarrage.',
  opening: 'Ouverture de vos téléchargements',
  empty: 'Vous n’avez actuellement aucun produit à télécharger.',
  noFiles: 'Il n’y a rien à télécharger ici. Saisissez le numéro de série dans votre plugin.',
  downloads: 'Téléchargements',
  left: { one: '{n} téléchargement restant', other: '{n} téléchargements restants' },
  copy: 'Copier',
  copied: 'Copié',
  active: 'Active',
  suspended: 'Suspendue',
  limitReached: 'Limite atteinte',
  withdrawn: 'Plus proposé',
  suspendedText: 'Cette licence a été suspendue.',
  limitText: 'Limite de téléchargements atteinte. Demandez une réinitialisation.',
  withdrawnText: 'L’éditeur du plugin ne propose plus ce produit.',
  requestHelp: 'Demander de l’aide',
  helpSubject: 'Aide pour {product}, numéro de série {serial}',
  helpLimit:
    'Bonjour,\n\nj’ai atteint la limite de téléchargements de {product}. Pouvez-vous la réinitialiser ?\n\nNuméro de série : {serial}\n',
  helpSuspended:
    'Bonjour,\n\nma licence de {product} a été suspendue. Pouvez-vous m’en indiquer la raison ?\n\nNuméro de série : {serial}\n',
  helpWithdrawn:
    'Bonjour,\n\nje possède {product}, que vous ne proposez plus. Pouvez-vous m’indiquer comment le télécharger ?\n\nNuméro de série : {serial}\n',
  downloadFailed:
    'Le téléchargement n’a pas démarré. Réessayez et, si le problème persiste, contactez l’éditeur du plugin.',
  another: 'Activer un autre numéro',
  notYou: 'Ce n’est pas vous ?',
  retry: 'Réessayer',

  otherSystems: 'Autres systèmes',
  install: 'Comment installer',
  installMac:
    'Ouvrez le fichier .pkg et suivez les étapes. Depuis un .dmg ou un .zip, placez le plugin dans /Library/Audio/Plug-Ins : .component dans Components, .vst3 dans VST3, .clap dans CLAP.',
  installWindows:
    'Ouvrez le fichier .exe ou .msi et suivez les étapes. Depuis un .zip, placez le plugin dans C:\\Program Files\\Common Files : .vst3 dans VST3, .clap dans CLAP.',
  installLinux:
    'Décompressez l’archive et placez le plugin dans votre dossier personnel : .vst3 dans .vst3, .clap dans .clap, .lv2 dans .lv2.',
  installRescan:
    'Redémarrez ensuite votre logiciel de musique ou relancez sa recherche de plugins, puis saisissez le numéro de série quand le plugin le demande.',
  moreText: 'Vous avez activé d’autres produits, ou changé d’ordinateur ?',
  myProducts: 'Mes produits',
  freeComputer: 'Libérer un ordinateur',
  freeIntro:
    'Saisissez l’adresse utilisée lors de l’activation. Nous vous enverrons un lien vers vos produits, où vous pourrez libérer la place d’un ordinateur que vous n’utilisez plus.',
  message: 'Votre message',
  messageNeeded: 'Décrivez l’aide dont vous avez besoin.',
  helpTo: 'Votre message est adressé à {name}, qui répondra par e-mail.',
  helpToMaker: 'Votre message est adressé à l’éditeur du plugin, qui répondra par e-mail.',
  sendMessage: 'Envoyer',
  helpSent: 'Votre message est en route. La réponse arrivera par e-mail.',
  helpTooMany: 'Trop de messages pour le moment. Veuillez réessayer demain.',
  helpFailed: 'Le message n’a pas pu être envoyé.',

  noEmail: 'Pas d’e-mail après votre commande ?',
  findOrder: 'Retrouver ma commande',
  orderTitle: 'Retrouvez votre commande',
  orderIntro:
    'Saisissez le numéro de votre commande et l’adresse e-mail indiquée lors de l’achat. Nous vous enverrons un lien vers ses codes.',
  orderNumber: 'Numéro de commande',
  orderHint: 'Si votre reçu porte un code qui commence par ORDR, saisissez-le.',
  orderNeeded: 'Saisissez le numéro de votre commande.',
  orderSent: 'Si cette commande existe, nous avons envoyé un lien vers ses codes à son adresse e-mail.',
  orderSentNote:
    'Le lien est valable 24 heures. Si rien n’arrive, vérifiez vos courriers indésirables, le numéro et l’adresse. Une nouvelle commande peut prendre quelques minutes.',
  orderAgain: 'Chercher une autre commande',
  orderOpened: 'Votre commande {order}',
  orderReady: 'Activez chaque code pour que le produit soit à vous et pour le télécharger.',
  orderPartly: 'Activez chaque code pour que le produit soit à vous. Les autres suivront par e-mail.',
  orderComing: 'Vos codes sont en route. Vous les recevrez par e-mail dès qu’ils seront disponibles.',
  orderReturned:
    'Cette commande a été remboursée, annulée ou contestée : elle n’a donc aucun code valable. Contactez la boutique si c’est une erreur.',
  orderRedeem: 'Activer',
  orderLook: 'Vérifier à nouveau',

  findIntro:
    'Saisissez l’adresse utilisée lors de l’activation. Nous vous enverrons un lien vers tout ce qui lui est associé.',
  findSubmit: 'Envoyer le lien',
  sending: 'Envoi',
  sentTitle: 'Consultez votre messagerie',
  sent: 'Si des produits sont associés à cette adresse, un e-mail contenant un lien est en route.',
  sentNote:
    'Le lien est valable 30 minutes. Si vous ne recevez rien, regardez dans le dossier des indésirables ou essayez une autre adresse.',
  anotherAddress: 'Essayer une autre adresse',
  enterSerial: 'Saisir un numéro de série',
  mineTitle: 'Vos produits',
  mineIntro: 'Tout ce qui est associé à {email}.',
  machines: { one: '{n} ordinateur utilise ce numéro', other: '{n} ordinateurs utilisent ce numéro' },
  noMachines: 'Aucun ordinateur n’utilise ce numéro.',
  offline: 'Ordinateur hors ligne',
  offlineHint:
    'Sur un ordinateur sans Internet, le plug-in écrit un fichier machine. Choisissez-le ici, puis rapportez le fichier de licence sur cet ordinateur. Il occupe une place jusqu’à son expiration, ou jusqu’à ce que vous choisissiez ici le fichier de libération créé par le plug-in.',
  machineFile: 'Choisir le fichier machine ou de libération',
  machineFileNeeded: 'Ce n’est pas un fichier machine. Choisissez le petit fichier texte créé par le plug-in.',
  offlineBusy: 'Création du fichier de licence',
  offlineDone: 'Le fichier de licence a été enregistré. Ouvrez-le dans le plug-in sur cet ordinateur.',
  offlineFailed: 'Le fichier de licence n’a pas pu être créé.',
  unlockedForGood: 'Ce produit est débloqué pour toujours. Son fichier l’ouvre sur tout ordinateur, sans serveur.',
  unlockFile: 'Télécharger le fichier de déblocage',
  unlockedTitle: 'Débloqué pour tous',
  unlockedText:
    'L’éditeur offre ces produits à tous. Le fichier ouvre son produit sur tout ordinateur, sans numéro de série et sans serveur.',
  version: 'Version {version}',
  lastSeen: 'Vu pour la dernière fois le {date}',
  free: 'Libérer cette place',
  freeTitle: 'Libérer cette place ?',
  freeText: 'Le plugin ne fonctionnera plus sur {machine} tant que vous ne l’y aurez pas réactivé.',
  cancel: 'Annuler',
  freeing: 'Libération',
  freed: 'La place est libre. Vous pouvez maintenant activer un autre ordinateur.',
  freeFailed: 'La place n’a pas pu être libérée.',
  linkTitle: 'Ce lien ne fonctionne plus',
  newLink: 'Demander un nouveau lien',

  deviceTitle: 'Activer {product} ?',
  deviceIntro: 'Un plugin attend votre réponse. Ne confirmez que s’il affiche ce code.',
  deviceCode: 'Code',
  deviceCodeTitle: 'Saisissez le code de votre plugin',
  deviceCodeIntro: 'Le plugin affiche huit lettres, par exemple BCDF-GHJK.',
  deviceUnknown: 'Aucun plugin n’attend avec ce code. Il a peut-être expiré : recommencez dans le plugin.',
  deviceComputer: 'Ordinateur',
  deviceUnnamed: 'Sans nom',
  devicePlace: 'Lieu',
  deviceHere: 'Dans votre réseau',
  deviceNowhere: 'Inconnu',
  deviceElsewhere:
    'Il est dans un autre réseau que ce navigateur. Si vous n’êtes pas à l’origine de cette demande, refusez-la.',
  deviceSign:
    'Choisissez l’un de vos numéros de série grâce à un lien reçu par e-mail, ou saisissez un numéro de série.',
  deviceEmail: 'Recevoir un lien par e-mail',
  deviceFindIntro:
    'Saisissez l’adresse e-mail utilisée lors de l’activation. Nous vous enverrons un lien pour choisir le numéro de série de votre plugin.',
  deviceSent:
    'Ouvrez le lien dans ce navigateur dans les 15 minutes. Si rien n’arrive, vérifiez vos spams ou essayez une autre adresse.',
  deviceChoose: 'Quel numéro de série ?',
  deviceNone:
    'Il n’y a ici aucun numéro de série pour ce plugin. Essayez une autre adresse e-mail, ou saisissez un numéro de série.',
  deviceSeats: 'Places utilisées : {used} sur {max}',
  deviceKnown: 'Cet ordinateur a déjà sa place.',
  deviceFull:
    'Toutes les places de ce numéro de série sont utilisées. Libérez un ordinateur que vous n’utilisez plus, puis confirmez.',
  deviceFullAsk:
    'Toutes les places de ce numéro de série sont utilisées. Avec un lien par e-mail, vous pouvez libérer un ordinateur.',
  deviceConfirm: 'Confirmer',
  deviceConfirming: 'Confirmation',
  deviceDeny: 'Refuser',
  deviceDoneTitle: 'C’est fait',
  deviceDone: 'Revenez à votre plugin. Il sera actif dans quelques secondes.',
  deviceDeniedTitle: 'Refusé',
  deviceDenied: 'Le plugin n’a pas été activé. Vous pouvez fermer cette page.',
  deviceFailed: 'Votre réponse n’a pas pu être envoyée.',

  closed:
    'L’éditeur de ces plugins a fermé son compte. Ce qui vous appartient continue de fonctionner : saisissez votre numéro de série pour ouvrir vos téléchargements, et conservez les fichiers. Un numéro de série qui n’a jamais été activé ne peut plus l’être. Demandez un remboursement à la boutique qui l’a vendu.',
  brandFailed: 'Impossible de charger l’identité visuelle de ce domaine.',
  help: 'Besoin d’aide ?',
  terms: 'Conditions d’utilisation',
  language: 'Langue',

  failed: 'L’activation a échoué.',
  unexpected: 'Réponse inattendue du serveur.',
  nameFailed: 'Le nom n’a pas pu être envoyé.',
  nameUnexpected: 'Le nom a été accepté, mais aucune donnée de téléchargement n’a été reçue.',
  requestFailed: 'Le lien n’a pas pu être envoyé.',
  openFailed: 'Vos téléchargements n’ont pas pu être ouverts.',
  waitSeconds: {
    one: 'Trop de tentatives. Patientez une seconde, puis réessayez.',
    other: 'Trop de tentatives. Patientez {n} secondes, puis réessayez.',
  },
  waitMinutes: {
    one: 'Trop de tentatives. Patientez une minute, puis réessayez.',
    other: 'Trop de tentatives. Patientez {n} minutes, puis réessayez.',
  },
  serial_not_found:
    'Nous ne connaissons pas ce numéro de série. Vérifiez la saisie ou collez l’e-mail dans lequel vous l’avez reçu.',
  serial_already_redeemed:
    'Ce numéro de série a déjà été activé avec une autre adresse e-mail. Essayez vos autres adresses ou contactez l’éditeur du plugin.',
  serial_revoked: 'Cette licence a été suspendue. Contactez l’éditeur du plugin.',
  developer_gone:
    'L’éditeur du plugin a fermé son compte : ce numéro de série ne peut plus être activé. Demandez un remboursement à la boutique qui l’a vendu.',
  serial_expired: 'Ce numéro de série a expiré et ne peut plus être activé. Contactez l’éditeur du plugin.',
  serial_not_yet_valid: 'Ce numéro de série pourra être activé à partir du {date}. Revenez à ce moment-là.',
  quota_reached:
    'L’éditeur du plugin a épuisé ses activations de ce mois. Votre numéro de série est correct : demandez-lui de rouvrir les activations, ou réessayez le mois prochain.',
  temp_token_invalid:
    'L’opération a pris trop de temps ou a été envoyée deux fois. Saisissez à nouveau votre numéro de série.',
  download_token_invalid:
    'Vos téléchargements doivent être rouverts. Saisissez votre numéro de série et votre adresse e-mail.',
  download_limit_reached: 'Limite de téléchargements atteinte. Demandez une réinitialisation.',
  ambiguous_serial:
    'Veuillez activer ce numéro de série sur la page de l’éditeur du plugin. Le lien figure dans votre commande.',
  product_is_draft: 'Ce produit n’est pas encore disponible. Veuillez réessayer plus tard.',
  link_invalid: 'Il est trop ancien ou a été altéré. Une minute suffit pour en obtenir un nouveau.',
  unavailable: 'Le service est momentanément indisponible. Rien n’est perdu : réessayez dans une minute.',
  network: 'Le serveur est injoignable. Vérifiez votre connexion, puis réessayez.',
};
