import type { EmailTexts } from './en.ts';

export const de: EmailTexts = {
  hello: 'Guten Tag,',
  helloName: 'Guten Tag {name},',
  needHelp: 'Brauchen Sie Hilfe? {ways}',
  or: 'oder',
  help: 'Hilfe',
  product: 'Produkt',
  serial: 'Seriennummer',
  files: 'Dateien',
  open: 'Downloads öffnen',

  redeemedSubject: '{product} gehört Ihnen',
  redeemedText:
    'Sie haben {product} eingelöst. Bewahren Sie diese E-Mail auf: Mit der Seriennummer und dieser E-Mail-Adresse können Sie Ihre Downloads jederzeit wieder öffnen.',

  leftSubject: 'Ihre E-Mail-Adresse bei {developer} wurde geändert',
  leftText:
    '{developer} hat die E-Mail-Adresse Ihrer Produkte in {address} geändert. Ab jetzt öffnen Sie sie mit dieser Adresse.',
  leftUnasked: 'Wenn Sie nicht darum gebeten haben, wenden Sie sich an den Hersteller.',

  givenSubject: 'Ihre Produkte von {developer} haben eine neue E-Mail-Adresse',
  givenText:
    '{developer} hat Ihre Produkte dieser E-Mail-Adresse zugeordnet. Öffnen Sie Ihre Downloads mit ihr und Ihren Seriennummern.',

  movedSubject: '{product} hat einen neuen Besitzer',
  movedText:
    '{developer} hat {product} ({code}) einem anderen Besitzer übertragen. Mit Ihrer E-Mail-Adresse lässt es sich nicht mehr öffnen.',
  receivedSubject: '{product} gehört jetzt Ihnen',
  receivedText:
    '{developer} hat {product} ({code}) auf Sie übertragen. Öffnen Sie Ihre Downloads mit dieser E-Mail-Adresse und der Seriennummer.',

  mineSubject: 'Ihre Produkte von {developer}',
  mineText:
    'Jemand, hoffentlich Sie selbst, hat alle Produkte von {developer} angefordert, die zu dieser E-Mail-Adresse gehören.',
  mineSubjectClosed: 'Ihre Produkte',
  mineTextClosed:
    'Jemand, hoffentlich Sie selbst, hat alle Produkte angefordert, die zu dieser E-Mail-Adresse gehören.',
  mineLink:
    'Der Link öffnet sie mit ihren Seriennummern und Computern und gilt 30 Minuten. Wenn Sie das nicht waren, ignorieren Sie diese E-Mail.',
  mineOpen: 'Alle meine Produkte öffnen',

  closedSubject: '{developer} hat sein Konto geschlossen',
  closedText:
    '{developer} hat Tonerow für die Lizenzen seiner Plugins genutzt und dieses Konto geschlossen. Was Ihnen gehört, funktioniert weiter: Ihre Plugins werden weiterhin bestätigt, und Sie können sie wie bisher auf Ihren Computern aktivieren.',
  closedDownload:
    'Laden Sie Ihre Dateien jetzt herunter und bewahren Sie diese E-Mail auf: Mit der Seriennummer und dieser E-Mail-Adresse können Sie Ihre Downloads öffnen, solange es die Dateien gibt.',
  closedUnredeemed:
    'Seriennummern, die noch nie eingelöst wurden, können nicht mehr eingelöst werden. Wenn Sie eine haben, bitten Sie den Shop, der sie verkauft hat, um Erstattung.',

  versionSubject: '{product} {version} ist da',
  versionText: 'Es gibt eine neue Version von {product}: {version}. Sie gehört zu dem, was Sie besitzen.',
  newVersion: 'Neue Version',
  updatesAsk: 'Keine E-Mails von {developer} über neue Versionen Ihrer Produkte mehr erhalten?',
  updatesStop: 'Abbestellen',
  updatesStopped:
    '{developer} schickt Ihnen keine E-Mails über neue Versionen mehr. E-Mails zu dem, was Sie einlösen, kommen weiterhin.',
  updatesAgain: 'Wieder zuschicken',
  updatesWanted: '{developer} schickt Ihnen E-Mails über neue Versionen Ihrer Produkte.',
  updatesGone: 'An diese Adresse gehen keine solchen E-Mails mehr.',
};
