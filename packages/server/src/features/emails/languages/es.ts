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

  soldSubject: 'Su código para {product}',
  soldText:
    '{reseller} le ha vendido {product} de {developer}. Canjee este código para que sea suyo y para descargarlo.',
  soldKeep: 'Hasta entonces no comparta este correo: quien tenga el código puede canjearlo.',
  soldUnasked: 'Si no lo ha comprado, ignore este correo.',
  orderedSubject: 'Sus códigos de {developer}',
  orderedText: 'Gracias por su pedido {order}. Canjee cada código para que el producto sea suyo y para descargarlo.',
  orderLinkSubject: 'Su pedido en {developer}',
  orderLinkText: 'Alguien, esperamos que usted, ha pedido los códigos de su pedido en {developer}.',
  orderLinkLasts: 'El enlace los muestra y funciona durante 24 horas. Si no ha sido usted, ignore este correo.',
  quietLinkSubject: 'Los códigos de su pedido',
  quietLinkText: 'Alguien, esperamos que usted, ha pedido los códigos de un pedido de plugins de audio.',
  redeemBy: 'Canjear antes del',
  redeem: 'Canjear su código',

  leftSubject: 'Su dirección de correo en {developer} ha cambiado',
  leftText:
    '{developer} ha cambiado la dirección de correo de sus productos a {address}. A partir de ahora se abren con esa dirección.',
  leftUnasked: 'Si no lo ha pedido usted, póngase en contacto con el fabricante.',

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
  mineLast:
    'El enlace los abre, con sus números de serie y ordenadores. Es el último por ahora y funciona durante 24 horas. Si no fue usted, ignore este correo.',
  mineOpen: 'Abrir todos mis productos',

  seatCodeSubject: 'Código para los ordenadores con su plugin de {developer}',
  seatCodeSubjectClosed: 'Código para los ordenadores con su plugin',
  seatCodeText:
    'Alguien, esperamos que usted, quiere ver qué ordenadores usan su licencia para liberar uno de ellos. Introduzca este código en el plugin.',
  seatCodeLasts:
    'Sirve durante 15 minutos. No se lo dé a nadie que se lo pida. Si no fue usted, ignore este correo: nada cambia sin el código.',
  seatCode: 'Su código',

  closedSubject: '{developer} ha cerrado su cuenta',
  closedText:
    '{developer} usaba Tonerow para las licencias de sus plugins y ha cerrado esa cuenta. Lo que es suyo sigue funcionando: sus plugins siguen siendo válidos y puede activarlos en sus ordenadores como hasta ahora.',
  closedDownload:
    'Descargue ya sus archivos y guarde este correo: con el número de serie y esta dirección podrá abrir sus descargas mientras existan los archivos.',
  closedUnredeemed:
    'Los números de serie que nunca se canjearon ya no se pueden canjear. Si tiene alguno, pida el reembolso a la tienda que se lo vendió.',

  quietSoldSubject: 'Su código para un plugin de audio',
  quietSoldText:
    'Alguien le vendió este código para un plugin de audio. La página de abajo muestra para qué sirve y lo registra a su nombre.',
  quietOrderedSubject: 'Sus códigos para plugins de audio',
  quietOrderedText:
    'Alguien le vendió estos códigos para plugins de audio. La página de abajo muestra para qué es cada uno y lo hace suyo.',
  quietGivenSubject: 'Un número de serie de un plugin de audio es suyo',
  quietGivenText:
    'El fabricante de un plugin de audio ha dado un número de serie a esta dirección de correo. Ábralo para ver qué es y descargarlo.',
  quietMovedSubject: 'Un número de serie de un plugin de audio pasó a otro propietario',
  quietMovedText:
    'El fabricante de un plugin de audio ha pasado a otro propietario un número de serie que pertenecía a esta dirección de correo. Ya no se abre con esta dirección.',
  quietAddressSubject: 'Se asignaron plugins de audio a su dirección de correo',
  quietAddressText:
    'El fabricante de plugins de audio ha asignado números de serie a esta dirección de correo. Ábralos para ver qué son y descargarlos.',
  quietLeftSubject: 'Su dirección de correo en un fabricante de plugins fue cambiada',
  quietLeftText:
    'El fabricante de plugins de audio ha cambiado la dirección de correo de sus números de serie. Ya no se abren con esta dirección.',
  quietVersionSubject: 'Hay una nueva versión de un plugin de audio',
  quietVersionText:
    'Un plugin de audio que se canjeó con esta dirección de correo tiene una nueva versión. Abra sus descargas para obtenerla. Después, su fabricante podrá contarle más en estos correos; hasta entonces llegan como máximo una vez al mes.',
  quietClosedSubject: 'Un fabricante de plugins ha cerrado su cuenta',
  quietClosedText:
    'El fabricante de plugins de audio que se canjearon con esta dirección de correo usaba Tonerow para sus licencias y ha cerrado esa cuenta. Lo que usted posee sigue funcionando: sus plugins se siguen validando y puede activarlos en sus ordenadores como antes.',
  quietMaker: 'La dirección de correo del fabricante es {maker}.',
  quietSeller: 'La dirección de correo del vendedor es {seller}.',
  quietIgnore: 'Si esto no le dice nada, ignore este correo.',

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
