import type { Texts } from './en.ts';

export const de: Texts = {
  title: 'Seriennummer einlösen',
  intro: 'Geben Sie den Code aus Ihrem Kauf ein. Er schaltet Ihre Downloads frei.',
  serial: 'Seriennummer',
  serialHint:
    'Groß- und Kleinschreibung, Leerzeichen und Bindestriche spielen keine Rolle. Sie können auch die ganze E-Mail einfügen.',
  serialFound: 'Diese Seriennummer stand in Ihrem eingefügten Text.',
  serialNeeded: 'Geben Sie Ihre Seriennummer ein.',
  email: 'E-Mail',
  emailHint: 'Das Plugin wird dieser Adresse zugeordnet.',
  emailNeeded: 'Geben Sie Ihre E-Mail-Adresse ein, zum Beispiel sie@example.com.',
  continue: 'Weiter',
  checking: 'Wird geprüft',
  lost: 'Seriennummer verloren?',
  find: 'Meine Produkte finden',

  nameTitle: 'Für wen ist das Plugin?',
  nameIntro: 'Wir fragen nur einmal. Das Plugin wird auf diesen Namen registriert.',
  firstName: 'Vorname',
  lastName: 'Nachname',
  submit: 'Absenden',
  back: 'Andere Seriennummer verwenden',
  namesNeeded: 'Bitte geben Sie Vor- und Nachnamen ein',

  downloadsTitle: 'Ihre Downloads',
  downloadsIntro: 'Bewahren Sie die Seriennummer auf: Ihr Plugin fragt beim Start danach.',
  opening: 'Ihre Downloads werden geöffnet',
  empty: 'Sie haben derzeit keine Produkte zum Herunterladen.',
  noFiles: 'Hier gibt es nichts herunterzuladen. Geben Sie die Seriennummer in Ihrem Plugin ein.',
  downloads: 'Downloads',
  left: { one: 'noch {n} Download', other: 'noch {n} Downloads' },
  copy: 'Kopieren',
  copied: 'Kopiert',
  active: 'Aktiv',
  suspended: 'Gesperrt',
  limitReached: 'Limit erreicht',
  withdrawn: 'Nicht mehr angeboten',
  suspendedText: 'Diese Lizenz wurde gesperrt.',
  limitText: 'Das Download-Limit ist erreicht. Bitten Sie um eine Zurücksetzung.',
  withdrawnText: 'Der Hersteller des Plugins bietet dieses Produkt nicht mehr an.',
  requestHelp: 'Hilfe anfordern',
  helpSubject: 'Hilfe zu {product}, Seriennummer {serial}',
  helpLimit:
    'Guten Tag,\n\nich habe das Download-Limit von {product} erreicht. Bitte setzen Sie es zurück.\n\nSeriennummer: {serial}\n',
  helpSuspended:
    'Guten Tag,\n\nmeine Lizenz für {product} wurde gesperrt. Bitte teilen Sie mir den Grund mit.\n\nSeriennummer: {serial}\n',
  helpWithdrawn:
    'Guten Tag,\n\nich besitze {product}, das Sie nicht mehr anbieten. Bitte teilen Sie mir mit, wie ich es herunterladen kann.\n\nSeriennummer: {serial}\n',
  downloadFailed:
    'Der Download hat nicht begonnen. Versuchen Sie es noch einmal, und wenn das nicht hilft, wenden Sie sich an den Hersteller des Plugins.',
  another: 'Weitere Seriennummer einlösen',
  notYou: 'Nicht Sie?',
  retry: 'Noch einmal versuchen',

  otherSystems: 'Andere Systeme',
  install: 'So wird installiert',
  installMac:
    'Öffnen Sie die .pkg-Datei und folgen Sie den Schritten. Aus einer .dmg- oder .zip-Datei bewegen Sie das Plugin nach /Library/Audio/Plug-Ins: .component nach Components, .vst3 nach VST3, .clap nach CLAP.',
  installWindows:
    'Öffnen Sie die .exe- oder .msi-Datei und folgen Sie den Schritten. Aus einer .zip-Datei verschieben Sie das Plugin nach C:\\Program Files\\Common Files: .vst3 nach VST3, .clap nach CLAP.',
  installLinux:
    'Entpacken Sie das Archiv und verschieben Sie das Plugin in Ihr Benutzerverzeichnis: .vst3 nach .vst3, .clap nach .clap, .lv2 nach .lv2.',
  installRescan:
    'Starten Sie danach Ihre Musiksoftware neu oder lassen Sie sie erneut nach Plugins suchen, und geben Sie die Seriennummer ein, wenn das Plugin danach fragt.',
  moreText: 'Haben Sie mehr eingelöst oder den Computer gewechselt?',
  myProducts: 'Meine Produkte',
  freeComputer: 'Computer freigeben',
  freeIntro:
    'Geben Sie die Adresse ein, mit der Sie eingelöst haben. Wir senden Ihnen einen Link zu Ihren Produkten. Dort können Sie den Platz eines Computers freigeben, den Sie nicht mehr benutzen.',
  message: 'Nachricht',
  messageNeeded: 'Schreiben Sie, wobei Sie Hilfe brauchen.',
  helpTo: 'Ihre Nachricht geht an {name}. Die Antwort kommt per E-Mail.',
  helpToMaker: 'Ihre Nachricht geht an den Hersteller des Plugins. Die Antwort kommt per E-Mail.',
  sendMessage: 'Senden',
  helpSent: 'Ihre Nachricht ist unterwegs. Die Antwort kommt per E-Mail.',
  helpTooMany: 'Im Moment sind es zu viele Nachrichten. Bitte versuchen Sie es morgen noch einmal.',
  helpFailed: 'Die Nachricht konnte nicht gesendet werden.',

  noEmail: 'Keine E-Mail nach der Bestellung?',
  findOrder: 'Meine Bestellung finden',
  orderTitle: 'Bestellung finden',
  orderIntro:
    'Geben Sie die Nummer Ihrer Bestellung und die E-Mail-Adresse ein, die Sie bei der Bestellung angegeben haben. Wir senden Ihnen einen Link zu den Codes.',
  orderNumber: 'Bestellnummer',
  orderHint: 'Wenn auf Ihrem Beleg ein Code steht, der mit ORDR beginnt, geben Sie diesen ein.',
  orderNeeded: 'Geben Sie die Nummer Ihrer Bestellung ein.',
  orderSent: 'Wenn es diese Bestellung gibt, haben wir einen Link zu den Codes an ihre E-Mail-Adresse gesendet.',
  orderSentNote:
    'Der Link gilt 24 Stunden. Wenn nichts ankommt, prüfen Sie den Spam-Ordner, die Nummer und die Adresse. Eine neue Bestellung kann einige Minuten dauern.',
  orderAgain: 'Andere Bestellung suchen',
  orderOpened: 'Ihre Bestellung {order}',
  orderReady: 'Lösen Sie jeden Code ein, damit das Produkt Ihnen gehört und Sie es herunterladen können.',
  orderPartly: 'Lösen Sie jeden Code ein, damit das Produkt Ihnen gehört. Die übrigen folgen per E-Mail.',
  orderComing: 'Ihre Codes sind unterwegs. Sie erhalten sie per E-Mail, sobald sie da sind.',
  orderReturned:
    'Diese Bestellung wurde erstattet, storniert oder angefochten und hat daher keine gültigen Codes. Wenden Sie sich an den Shop, wenn das nicht stimmt.',
  orderRedeem: 'Einlösen',
  orderLook: 'Erneut nachsehen',

  findIntro:
    'Geben Sie die Adresse ein, mit der Sie eingelöst haben. Wir senden Ihnen einen Link zu allem, was dazugehört.',
  findSubmit: 'Link senden',
  sending: 'Wird gesendet',
  sentTitle: 'Sehen Sie in Ihr Postfach',
  sent: 'Wenn zu dieser Adresse hier Produkte gehören, ist eine E-Mail mit einem Link unterwegs.',
  sentNote:
    'Der Link gilt 30 Minuten. Wenn nichts ankommt, sehen Sie im Spam-Ordner nach oder versuchen Sie es mit einer anderen Adresse.',
  anotherAddress: 'Andere Adresse versuchen',
  enterSerial: 'Seriennummer eingeben',
  mineTitle: 'Ihre Produkte',
  mineIntro: 'Alles, was zu {email} gehört.',
  machines: { one: '{n} Computer nutzt diese Seriennummer', other: '{n} Computer nutzen diese Seriennummer' },
  noMachines: 'Kein Computer nutzt diese Seriennummer.',
  offline: 'Computer ohne Internet',
  offlineHint:
    'Auf einem Computer ohne Internet schreibt das Plugin eine Gerätedatei. Wählen Sie sie hier aus und bringen Sie die Lizenzdatei zu diesem Computer zurück. Sie belegt einen Platz, bis sie abläuft oder bis Sie hier die Freigabedatei des Plugins auswählen.',
  machineFile: 'Geräte- oder Freigabedatei auswählen',
  machineFileNeeded: 'Das ist keine Gerätedatei. Wählen Sie die kleine Textdatei, die das Plugin geschrieben hat.',
  offlineBusy: 'Die Lizenzdatei wird erstellt',
  offlineDone: 'Die Lizenzdatei wurde gespeichert. Öffnen Sie sie auf jenem Computer im Plugin.',
  offlineFailed: 'Die Lizenzdatei konnte nicht erstellt werden.',
  unlockedForGood: 'Dieses Produkt ist für immer freigeschaltet. Die Datei öffnet es auf jedem Computer, ohne Server.',
  unlockFile: 'Freischaltdatei laden',
  unlockedTitle: 'Für alle freigeschaltet',
  unlockedText:
    'Der Hersteller schenkt diese Produkte allen. Die Datei öffnet ihr Produkt auf jedem Computer, ohne Seriennummer und ohne Server.',
  version: 'Version {version}',
  lastSeen: 'Zuletzt gesehen am {date}',
  free: 'Platz freigeben',
  freeTitle: 'Diesen Platz freigeben?',
  freeText: 'Das Plugin läuft auf {machine} erst wieder, wenn Sie es dort neu aktivieren.',
  cancel: 'Abbrechen',
  freeing: 'Wird freigegeben',
  freed: 'Der Platz ist frei. Sie können jetzt einen anderen Computer aktivieren.',
  freeFailed: 'Der Platz konnte nicht freigegeben werden.',
  linkTitle: 'Dieser Link gilt nicht mehr',
  newLink: 'Neuen Link anfordern',

  deviceTitle: '{product} aktivieren?',
  deviceIntro: 'Ein Plugin wartet auf Ihre Antwort. Bestätigen Sie nur, wenn es diesen Code zeigt.',
  deviceCode: 'Code',
  deviceCodeTitle: 'Geben Sie den Code aus Ihrem Plugin ein',
  deviceCodeIntro: 'Das Plugin zeigt acht Buchstaben, zum Beispiel BCDF-GHJK.',
  deviceUnknown:
    'Mit diesem Code wartet kein Plugin. Vielleicht ist er abgelaufen: Beginnen Sie im Plugin noch einmal.',
  deviceComputer: 'Computer',
  deviceUnnamed: 'Ohne Namen',
  devicePlace: 'Ort',
  deviceHere: 'In Ihrem Netzwerk',
  deviceNowhere: 'Unbekannt',
  deviceElsewhere:
    'Er ist in einem anderen Netzwerk als dieser Browser. Wenn Sie das nicht selbst begonnen haben, lehnen Sie es ab.',
  deviceSign:
    'Wählen Sie eine Ihrer Seriennummern über einen Link aus Ihrer E-Mail, oder geben Sie eine Seriennummer ein.',
  deviceEmail: 'Link per E-Mail anfordern',
  deviceFindIntro:
    'Geben Sie die E-Mail-Adresse ein, mit der Sie eingelöst haben. Wir senden Ihnen einen Link, mit dem Sie die Seriennummer für Ihr Plugin wählen.',
  deviceSent:
    'Öffnen Sie den Link innerhalb von 15 Minuten in diesem Browser. Wenn nichts ankommt, sehen Sie im Spam-Ordner nach oder versuchen Sie eine andere Adresse.',
  deviceChoose: 'Welche Seriennummer?',
  deviceNone:
    'Hier gibt es keine Seriennummer für dieses Plugin. Versuchen Sie eine andere E-Mail-Adresse, oder geben Sie eine Seriennummer ein.',
  deviceSeats: 'Belegte Plätze: {used} von {max}',
  deviceKnown: 'Dieser Computer hat schon einen Platz.',
  deviceFull:
    'Alle Plätze dieser Seriennummer sind belegt. Geben Sie einen Computer frei, den Sie nicht mehr nutzen, und bestätigen Sie dann.',
  deviceFullAsk:
    'Alle Plätze dieser Seriennummer sind belegt. Über einen Link per E-Mail können Sie einen Computer freigeben.',
  deviceConfirm: 'Bestätigen',
  deviceConfirming: 'Wird bestätigt',
  deviceDeny: 'Ablehnen',
  deviceDoneTitle: 'Fertig',
  deviceDone: 'Gehen Sie zurück zu Ihrem Plugin. Es ist in wenigen Sekunden aktiv.',
  deviceDeniedTitle: 'Abgelehnt',
  deviceDenied: 'Das Plugin wurde nicht aktiviert. Sie können diese Seite schließen.',
  deviceFailed: 'Ihre Antwort konnte nicht gesendet werden.',

  closed:
    'Der Hersteller dieser Plugins hat sein Konto geschlossen. Was Ihnen gehört, funktioniert weiter: Geben Sie Ihre Seriennummer ein, um Ihre Downloads zu öffnen, und bewahren Sie die Dateien auf. Eine Seriennummer, die noch nie eingelöst wurde, kann nicht mehr eingelöst werden. Bitten Sie den Shop, der sie verkauft hat, um Erstattung.',
  brandFailed: 'Das Branding für diese Domain konnte nicht geladen werden.',
  help: 'Brauchen Sie Hilfe?',
  terms: 'Nutzungsbedingungen',
  language: 'Sprache',

  failed: 'Die Einlösung ist fehlgeschlagen.',
  unexpected: 'Unerwartete Antwort des Servers.',
  nameFailed: 'Der Name konnte nicht übermittelt werden.',
  nameUnexpected: 'Der Name wurde angenommen, aber es kamen keine Download-Daten an.',
  requestFailed: 'Der Link konnte nicht gesendet werden.',
  openFailed: 'Ihre Downloads konnten nicht geöffnet werden.',
  waitSeconds: {
    one: 'Zu viele Versuche. Warten Sie eine Sekunde und versuchen Sie es dann erneut.',
    other: 'Zu viele Versuche. Warten Sie {n} Sekunden und versuchen Sie es dann erneut.',
  },
  waitMinutes: {
    one: 'Zu viele Versuche. Warten Sie eine Minute und versuchen Sie es dann erneut.',
    other: 'Zu viele Versuche. Warten Sie {n} Minuten und versuchen Sie es dann erneut.',
  },
  serial_not_found:
    'Diese Seriennummer kennen wir nicht. Prüfen Sie sie auf Tippfehler oder fügen Sie die E-Mail ein, in der sie stand.',
  serial_already_redeemed:
    'Diese Seriennummer wurde bereits mit einer anderen E-Mail-Adresse eingelöst. Versuchen Sie es mit Ihren anderen Adressen oder wenden Sie sich an den Hersteller des Plugins.',
  serial_revoked: 'Diese Lizenz wurde gesperrt. Wenden Sie sich an den Hersteller des Plugins.',
  developer_gone:
    'Der Hersteller des Plugins hat sein Konto geschlossen, deshalb kann diese Seriennummer nicht mehr eingelöst werden. Bitten Sie den Shop, der sie verkauft hat, um Erstattung.',
  serial_expired:
    'Diese Seriennummer ist abgelaufen und kann nicht mehr eingelöst werden. Wenden Sie sich an den Hersteller des Plugins.',
  serial_not_yet_valid: 'Diese Seriennummer kann erst ab {date} eingelöst werden. Bitte kommen Sie dann wieder.',
  quota_reached:
    'Der Hersteller des Plugins hat die Einlösungen dieses Monats aufgebraucht. Ihre Seriennummer ist in Ordnung: Bitten Sie ihn, Einlösungen wieder zu öffnen, oder versuchen Sie es nächsten Monat noch einmal.',
  temp_token_invalid:
    'Das hat zu lange gedauert oder wurde zweimal gesendet. Geben Sie Ihre Seriennummer noch einmal ein.',
  download_token_invalid:
    'Ihre Downloads müssen neu geöffnet werden. Geben Sie Ihre Seriennummer und Ihre E-Mail-Adresse ein.',
  download_limit_reached: 'Das Download-Limit ist erreicht. Bitten Sie um eine Zurücksetzung.',
  ambiguous_serial:
    'Bitte lösen Sie diese Seriennummer auf der Seite des Plugin-Herstellers ein. Der Link steht in Ihrer Bestellung.',
  product_is_draft: 'Dieses Produkt ist noch nicht verfügbar. Bitte versuchen Sie es später noch einmal.',
  link_invalid: 'Er ist zu alt oder wurde unterwegs verändert. Einen neuen haben Sie in einer Minute.',
  unavailable: 'Wir sind gerade nicht erreichbar. Es ist nichts verloren: Versuchen Sie es in einer Minute erneut.',
  network: 'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
};
