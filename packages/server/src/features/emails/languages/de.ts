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

  soldSubject: 'Ihr Code für {product}',
  soldText:
    '{reseller} hat Ihnen {product} von {developer} verkauft. Lösen Sie diesen Code ein, damit es Ihnen gehört und Sie es herunterladen können.',
  soldKeep: 'Zeigen Sie diese E-Mail bis dahin niemandem: Wer den Code hat, kann ihn einlösen.',
  soldUnasked: 'Wenn Sie es nicht gekauft haben, beachten Sie diese E-Mail nicht.',
  orderedSubject: 'Ihre Codes von {developer}',
  orderedText:
    'Danke für Ihre Bestellung {order}. Lösen Sie jeden Code ein, damit Ihnen das Produkt gehört und Sie es herunterladen können.',
  orderLinkSubject: 'Ihre Bestellung bei {developer}',
  orderLinkText: 'Jemand, hoffentlich Sie selbst, hat die Codes Ihrer Bestellung bei {developer} angefordert.',
  orderLinkLasts: 'Der Link zeigt sie und gilt 24 Stunden. Wenn Sie das nicht waren, ignorieren Sie diese E-Mail.',
  quietLinkSubject: 'Die Codes Ihrer Bestellung',
  quietLinkText: 'Jemand, hoffentlich Sie selbst, hat die Codes einer Bestellung von Audio-Plugins angefordert.',
  redeemBy: 'Einlösen bis',
  redeem: 'Code einlösen',

  leftSubject: 'Ihre E-Mail-Adresse bei {developer} wurde geändert',
  leftText:
    '{developer} hat die E-Mail-Adresse Ihrer Produkte in {address} geändert. Ab jetzt öffnen Sie sie mit dieser Adresse.',
  leftUnasked: 'Wenn Sie nicht darum gebeten haben, wenden Sie sich an den Hersteller.',

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
  mineLast:
    'Der Link öffnet sie mit ihren Seriennummern und Computern. Er ist vorerst der letzte und gilt 24 Stunden. Wenn Sie das nicht waren, ignorieren Sie diese E-Mail.',
  mineOpen: 'Alle meine Produkte öffnen',

  seatCodeSubject: 'Code für die Computer mit Ihrem Plugin von {developer}',
  seatCodeSubjectClosed: 'Code für die Computer mit Ihrem Plugin',
  seatCodeText:
    'Jemand, hoffentlich Sie, möchte sehen, welche Computer Ihre Lizenz nutzen, um einen davon freizugeben. Geben Sie diesen Code im Plugin ein.',
  seatCodeLasts:
    'Er gilt 15 Minuten. Geben Sie ihn niemandem, der Sie danach fragt. Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Ohne den Code ändert sich nichts.',
  seatCode: 'Ihr Code',

  closedSubject: '{developer} hat sein Konto geschlossen',
  closedText:
    '{developer} hat Tonerow für die Lizenzen seiner Plugins genutzt und dieses Konto geschlossen. Was Ihnen gehört, funktioniert weiter: Ihre Plugins werden weiterhin bestätigt, und Sie können sie wie bisher auf Ihren Computern aktivieren.',
  closedDownload:
    'Laden Sie Ihre Dateien jetzt herunter und bewahren Sie diese E-Mail auf: Mit der Seriennummer und dieser E-Mail-Adresse können Sie Ihre Downloads öffnen, solange es die Dateien gibt.',
  closedUnredeemed:
    'Seriennummern, die noch nie eingelöst wurden, können nicht mehr eingelöst werden. Wenn Sie eine haben, bitten Sie den Shop, der sie verkauft hat, um Erstattung.',

  quietSoldSubject: 'Ihr Code für ein Audio-Plugin',
  quietSoldText:
    'Jemand hat Ihnen diesen Code für ein Audio-Plugin verkauft. Die Seite unten zeigt, wofür er ist, und macht das Plugin zu Ihrem.',
  quietOrderedSubject: 'Ihre Codes für Audio-Plugins',
  quietOrderedText:
    'Jemand hat Ihnen diese Codes für Audio-Plugins verkauft. Die Seite unten zeigt, wofür jeder ist, und macht das Plugin zu Ihrem.',
  quietGivenSubject: 'Eine Seriennummer für ein Audio-Plugin gehört Ihnen',
  quietGivenText:
    'Der Hersteller eines Audio-Plugins hat dieser E-Mail-Adresse eine Seriennummer gegeben. Öffnen Sie sie, um zu sehen, was es ist, und um es herunterzuladen.',
  quietMovedSubject: 'Eine Seriennummer für ein Audio-Plugin hat einen neuen Besitzer',
  quietMovedText:
    'Der Hersteller eines Audio-Plugins hat eine Seriennummer, die zu dieser E-Mail-Adresse gehörte, einem anderen Besitzer übertragen. Mit dieser Adresse lässt sie sich nicht mehr öffnen.',
  quietAddressSubject: 'Ihrer E-Mail-Adresse wurden Audio-Plugins zugeordnet',
  quietAddressText:
    'Der Hersteller von Audio-Plugins hat dieser E-Mail-Adresse Seriennummern zugeordnet. Öffnen Sie sie, um zu sehen, was es ist, und um es herunterzuladen.',
  quietLeftSubject: 'Ihre E-Mail-Adresse bei einem Plugin-Hersteller wurde geändert',
  quietLeftText:
    'Der Hersteller von Audio-Plugins hat die E-Mail-Adresse Ihrer Seriennummern geändert. Mit dieser Adresse lassen sie sich nicht mehr öffnen.',
  quietVersionSubject: 'Es gibt eine neue Version eines Audio-Plugins',
  quietVersionText:
    'Ein Audio-Plugin, das mit dieser E-Mail-Adresse eingelöst wurde, hat eine neue Version. Öffnen Sie Ihre Downloads, um sie zu bekommen. Danach kann Ihnen der Hersteller in solchen E-Mails mehr sagen; bis dahin kommen sie höchstens einmal im Monat.',
  quietClosedSubject: 'Ein Plugin-Hersteller hat sein Konto geschlossen',
  quietClosedText:
    'Der Hersteller von Audio-Plugins, die mit dieser E-Mail-Adresse eingelöst wurden, hat Tonerow für ihre Lizenzen genutzt und dieses Konto geschlossen. Was Ihnen gehört, funktioniert weiter: Ihre Plugins werden weiterhin bestätigt, und Sie können sie wie bisher auf Ihren Computern aktivieren.',
  quietMaker: 'Die E-Mail-Adresse des Herstellers ist {maker}.',
  quietSeller: 'Die E-Mail-Adresse des Verkäufers ist {seller}.',
  quietIgnore: 'Wenn Ihnen das nichts sagt, ignorieren Sie diese E-Mail.',

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
