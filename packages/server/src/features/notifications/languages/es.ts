import type { EmailTexts } from './en.ts';

export const es: EmailTexts = {
  hello: 'Hola:',
  helloName: 'Hola, {name}:',
  needHelp: '¿Necesita ayuda? {ways}',
  or: 'o',
  help: 'Ayuda',
  product: 'Producto',
  serial: 'Número de serie',
  files: 'Archivos',
  open: 'Abrir sus descargas',

  redeemedSubject: '{product} ya es suyo',
  redeemedText:
    'Ha canjeado {product}. Guarde este correo: con el número de serie y esta dirección puede volver a abrir sus descargas.',

  leftSubject: 'Su dirección de correo en {developer} ha cambiado',
  leftText:
    '{developer} ha cambiado la dirección de correo de sus productos a {address}. A partir de ahora se abren con esa dirección.',
  leftUnasked: 'Si no lo ha pedido usted, póngase en contacto con el fabricante.',

  givenSubject: 'Sus productos de {developer} tienen una nueva dirección de correo',
  givenText:
    '{developer} ha asignado sus productos a esta dirección de correo. Abra sus descargas con ella y con sus números de serie.',

  movedSubject: '{product} ha cambiado de propietario',
  movedText:
    '{developer} ha transferido {product} ({code}) a otro propietario. Ya no se abre con su dirección de correo.',
  receivedSubject: '{product} ahora es suyo',
  receivedText:
    '{developer} le ha transferido {product} ({code}). Abra sus descargas con esta dirección de correo y el número de serie.',

  mineSubject: 'Sus productos de {developer}',
  mineText:
    'Alguien, esperamos que usted, ha pedido todos los productos de {developer} asociados a esta dirección de correo.',
  mineSubjectClosed: 'Sus productos',
  mineTextClosed: 'Alguien, esperamos que usted, ha pedido todos los productos asociados a esta dirección de correo.',
  mineLink:
    'El enlace los abre, con sus números de serie y ordenadores, y funciona durante 30 minutos. Si no ha sido usted, ignore este correo.',
  mineOpen: 'Abrir todos mis productos',

  closedSubject: '{developer} ha cerrado su cuenta',
  closedText:
    '{developer} usaba Tonerow para las licencias de sus plugins y ha cerrado esa cuenta. Lo que es suyo sigue funcionando: sus plugins siguen siendo válidos y puede activarlos en sus ordenadores como hasta ahora.',
  closedDownload:
    'Descargue ya sus archivos y guarde este correo: con el número de serie y esta dirección podrá abrir sus descargas mientras existan los archivos.',
  closedUnredeemed:
    'Los números de serie que nunca se canjearon ya no se pueden canjear. Si tiene alguno, pida el reembolso a la tienda que se lo vendió.',

  versionSubject: '{product} {version} ya está disponible',
  versionText: 'Hay una nueva versión de {product}: {version}. Está incluida en lo que ya es suyo.',
  newVersion: 'Nueva versión',
  updatesAsk: '¿Dejar de recibir correos de {developer} sobre nuevas versiones de sus productos?',
  updatesStop: 'Cancelar la suscripción',
  updatesStopped:
    '{developer} ya no le escribirá sobre nuevas versiones. Los correos sobre lo que canjea siguen llegando.',
  updatesAgain: 'Volver a recibirlos',
  updatesWanted: '{developer} le escribirá sobre nuevas versiones de sus productos.',
  updatesGone: 'Ya no se envían correos de este tipo a esta dirección.',
};
