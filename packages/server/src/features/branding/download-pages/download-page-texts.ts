/** Why a file was not delivered, or has to be requested again. */
export type PageKind = 'link' | 'suspended' | 'limit' | 'gone' | 'wait' | 'away' | 'failed' | 'ready';

export interface PageTexts {
  /** What happened. `{n}` is a number of minutes. */
  title: Record<PageKind, string>;
  /** What to do next. */
  next: Record<PageKind, string>;
  downloads: string;
  download: string;
  requestHelp: string;
  /** `{product}` is its name. */
  helpSubject: string;
  helpBody: Record<'limit' | 'suspended' | 'other', string>;
}

/** The languages of the redemption page, which this page links back to; both use the same wording. */
export const pageTexts = {
  en: {
    title: {
      link: 'This link no longer works',
      suspended: 'This license has been suspended.',
      limit: 'Download limit reached. Request a reset.',
      gone: 'This file is no longer here',
      wait: 'Too many attempts',
      away: 'We’ll be right back',
      failed: 'The download did not start',
      ready: 'Your download is ready',
    },
    next: {
      link: 'Download links work for a day. Open your downloads again to get a new one.',
      suspended: 'Contact the plugin’s maker if you think this is a mistake, and have your serial ready.',
      limit: 'Contact the plugin’s maker, who can reset the count, and have your serial ready.',
      gone: 'The plugin’s maker has removed or replaced it. Your downloads page shows what is available now.',
      wait: 'Wait {n} min, then open your downloads again.',
      away: 'Nothing is lost, and nothing was counted. Try again in a minute.',
      failed: 'Open your downloads and try again. If that does not help, contact the plugin’s maker.',
      ready: 'Downloads only count once you start them.',
    },
    downloads: 'Open my downloads',
    download: 'Download',
    requestHelp: 'Request Help',
    helpSubject: 'Help with downloading {product}',
    helpBody: {
      limit: 'Hello,\n\nI have reached the download limit of {product}. Please reset it.\n\nMy serial: ',
      suspended: 'Hello,\n\nMy license for {product} has been suspended. Please let me know why.\n\nMy serial: ',
      other: 'Hello,\n\nI cannot download {product}.\n\nMy serial: ',
    },
  },
  de: {
    title: {
      link: 'Dieser Link gilt nicht mehr',
      suspended: 'Diese Lizenz wurde gesperrt.',
      limit: 'Das Download-Limit ist erreicht. Bitten Sie um eine Zurücksetzung.',
      gone: 'Diese Datei gibt es nicht mehr',
      wait: 'Zu viele Versuche',
      away: 'Wir sind gerade nicht erreichbar',
      failed: 'Der Download hat nicht begonnen',
      ready: 'Ihr Download ist bereit',
    },
    next: {
      link: 'Download-Links gelten einen Tag. Öffnen Sie Ihre Downloads und verwenden Sie einen neuen.',
      suspended:
        'Schreiben Sie dem Hersteller des Plugins, wenn Sie das für einen Irrtum halten. Halten Sie Ihre Seriennummer bereit.',
      limit:
        'Schreiben Sie dem Hersteller des Plugins: Er kann den Zähler zurücksetzen. Halten Sie Ihre Seriennummer bereit.',
      gone: 'Der Hersteller des Plugins hat sie entfernt oder ersetzt. Ihre Downloads zeigen, was es jetzt gibt.',
      wait: 'Warten Sie {n} Min. und öffnen Sie dann Ihre Downloads.',
      away: 'Es ist nichts verloren, und nichts wurde gezählt. Versuchen Sie es in einer Minute erneut.',
      failed:
        'Öffnen Sie Ihre Downloads und versuchen Sie es noch einmal. Wenn das nicht hilft, schreiben Sie dem Hersteller des Plugins.',
      ready: 'Gezählt wird erst, wenn Sie herunterladen.',
    },
    downloads: 'Meine Downloads öffnen',
    download: 'Herunterladen',
    requestHelp: 'Hilfe anfordern',
    helpSubject: 'Hilfe beim Herunterladen von {product}',
    helpBody: {
      limit:
        'Guten Tag,\n\nich habe das Download-Limit von {product} erreicht. Bitte setzen Sie es zurück.\n\nMeine Seriennummer: ',
      suspended:
        'Guten Tag,\n\nmeine Lizenz für {product} wurde gesperrt. Bitte teilen Sie mir den Grund mit.\n\nMeine Seriennummer: ',
      other: 'Guten Tag,\n\nich kann {product} nicht herunterladen.\n\nMeine Seriennummer: ',
    },
  },
  fr: {
    title: {
      link: 'Ce lien ne fonctionne plus',
      suspended: 'Cette licence a été suspendue.',
      limit: 'Limite de téléchargements atteinte. Demandez une réinitialisation.',
      gone: 'Ce fichier n’est plus disponible',
      wait: 'Trop de tentatives',
      away: 'Le service est momentanément indisponible',
      failed: 'Le téléchargement n’a pas démarré',
      ready: 'Votre téléchargement est prêt',
    },
    next: {
      link: 'Les liens de téléchargement sont valables un jour. Rouvrez vos téléchargements pour en obtenir un nouveau.',
      suspended:
        'Écrivez à l’éditeur du plugin si vous pensez qu’il s’agit d’une erreur. Gardez votre numéro de série à portée de main.',
      limit:
        'Écrivez à l’éditeur du plugin, qui peut réinitialiser le compteur. Gardez votre numéro de série à portée de main.',
      gone: 'L’éditeur du plugin l’a retiré ou remplacé. Vos téléchargements montrent ce qui est disponible.',
      wait: 'Patientez {n} min, puis rouvrez vos téléchargements.',
      away: 'Rien n’est perdu et rien n’a été compté. Réessayez dans une minute.',
      failed: 'Rouvrez vos téléchargements et réessayez. Si le problème persiste, écrivez à l’éditeur du plugin.',
      ready: 'Rien n’est compté avant le téléchargement.',
    },
    downloads: 'Ouvrir mes téléchargements',
    download: 'Télécharger',
    requestHelp: 'Demander de l’aide',
    helpSubject: 'Aide pour télécharger {product}',
    helpBody: {
      limit:
        'Bonjour,\n\nj’ai atteint la limite de téléchargements de {product}. Pouvez-vous la réinitialiser ?\n\nMon numéro de série : ',
      suspended:
        'Bonjour,\n\nma licence de {product} a été suspendue. Pouvez-vous m’en indiquer la raison ?\n\nMon numéro de série : ',
      other: 'Bonjour,\n\nje n’arrive pas à télécharger {product}.\n\nMon numéro de série : ',
    },
  },
  es: {
    title: {
      link: 'Este enlace ya no funciona',
      suspended: 'Esta licencia ha sido suspendida.',
      limit: 'Límite de descargas alcanzado. Solicite que se restablezca.',
      gone: 'Este archivo ya no está disponible',
      wait: 'Demasiados intentos',
      away: 'El servicio no está disponible por un momento',
      failed: 'La descarga no ha comenzado',
      ready: 'Su descarga está lista',
    },
    next: {
      link: 'Los enlaces de descarga duran un día. Vuelva a abrir sus descargas y use uno nuevo.',
      suspended: 'Escriba al fabricante del plugin si cree que es un error. Tenga a mano su número de serie.',
      limit: 'Escriba al fabricante del plugin, que puede restablecer el contador. Tenga a mano su número de serie.',
      gone: 'El fabricante del plugin lo ha retirado o sustituido. Sus descargas muestran lo que hay ahora.',
      wait: 'Espere {n} min y vuelva a abrir sus descargas.',
      away: 'No se ha perdido ni contado nada. Inténtelo dentro de un minuto.',
      failed: 'Abra sus descargas e inténtelo de nuevo. Si no funciona, escriba al fabricante del plugin.',
      ready: 'No se cuenta nada hasta que la descargue.',
    },
    downloads: 'Abrir mis descargas',
    download: 'Descargar',
    requestHelp: 'Solicitar ayuda',
    helpSubject: 'Ayuda para descargar {product}',
    helpBody: {
      limit:
        'Hola:\n\nHe alcanzado el límite de descargas de {product}. ¿Podrían restablecerlo?\n\nMi número de serie: ',
      suspended:
        'Hola:\n\nMi licencia de {product} ha sido suspendida. ¿Podrían indicarme el motivo?\n\nMi número de serie: ',
      other: 'Hola:\n\nNo puedo descargar {product}.\n\nMi número de serie: ',
    },
  },
  ja: {
    title: {
      link: 'このリンクは使えません',
      suspended: 'このライセンスは停止されています。',
      limit: 'ダウンロード回数の上限に達しました。リセットを依頼してください。',
      gone: 'このファイルはなくなりました',
      wait: '試行回数が多すぎます',
      away: '現在一時的にご利用いただけません',
      failed: 'ダウンロードが始まりませんでした',
      ready: 'ダウンロードの準備ができました',
    },
    next: {
      link: 'ダウンロードリンクの有効期限は1日です。ダウンロードを開き直して、新しいリンクをご利用ください。',
      suspended: '心当たりがない場合は、シリアルを用意してプラグインの販売元にお問い合わせください。',
      limit: '販売元が回数をリセットできます。シリアルを用意してプラグインの販売元にお問い合わせください。',
      gone: 'プラグインの販売元が削除したか、差し替えました。現在のファイルはダウンロードで確認できます。',
      wait: '{n} 分待ってから、ダウンロードを開き直してください。',
      away: '内容は失われず、回数にも数えられていません。1分ほどしてからもう一度お試しください。',
      failed:
        'ダウンロードを開いて、もう一度お試しください。解決しない場合は、プラグインの販売元にお問い合わせください。',
      ready: 'ダウンロードするまで回数には数えられません。',
    },
    downloads: 'ダウンロードを開く',
    download: 'ダウンロードする',
    requestHelp: '問い合わせる',
    helpSubject: '{product} のダウンロードについてのお問い合わせ',
    helpBody: {
      limit:
        'お世話になっております。\n\n{product} のダウンロード回数が上限に達しました。リセットをお願いいたします。\n\nシリアル：',
      suspended:
        'お世話になっております。\n\n{product} のライセンスが停止されています。理由を教えていただけますでしょうか。\n\nシリアル：',
      other: 'お世話になっております。\n\n{product} をダウンロードできません。\n\nシリアル：',
    },
  },
} as const satisfies Record<string, PageTexts>;

export type PageLanguage = keyof typeof pageTexts;
export const pageLanguages = Object.keys(pageTexts) as PageLanguage[];
