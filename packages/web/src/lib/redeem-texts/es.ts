import type { Texts } from './en.ts';

export const es: Texts = {
  title: 'Canjee su número de serie',
  intro: 'Introduzca el código que recibió con la compra. Con él se desbloquean sus descargas.',
  serial: 'Número de serie',
  serialHint: 'Las mayúsculas, los espacios y los guiones no importan. Puede pegar el correo completo.',
  serialFound: 'Hemos encontrado este número en el texto pegado.',
  serialNeeded: 'Introduzca su número de serie.',
  email: 'Correo electrónico',
  emailHint: 'El plugin quedará asociado a esta dirección.',
  emailNeeded: 'Introduzca su dirección de correo, por ejemplo usted@example.com.',
  continue: 'Continuar',
  checking: 'Comprobando',
  lost: '¿Ha perdido el número de serie?',
  find: 'Buscar mis productos',

  nameTitle: '¿A nombre de quién?',
  nameIntro: 'Solo se pregunta una vez. El plugin se registra con este nombre.',
  firstName: 'Nombre',
  lastName: 'Apellidos',
  submit: 'Enviar',
  back: 'Usar otro número de serie',
  namesNeeded: 'Introduzca el nombre y los apellidos',

  downloadsTitle: 'Sus descargas',
  downloadsIntro: 'Conserve el número de serie: el plugin lo pedirá al iniciarse.',
  opening: 'Abriendo sus descargas',
  empty: 'Actualmente no tiene productos para descargar.',
  noFiles: 'Aquí no hay nada que descargar. Introduzca el número de serie en el plugin.',
  downloads: 'Descargas',
  left: { one: 'queda {n} descarga', other: 'quedan {n} descargas' },
  copy: 'Copiar',
  copied: 'Copiado',
  active: 'Activa',
  suspended: 'Suspendida',
  limitReached: 'Límite alcanzado',
  withdrawn: 'Ya no se ofrece',
  suspendedText: 'Esta licencia ha sido suspendida.',
  limitText: 'Límite de descargas alcanzado. Solicite que se restablezca.',
  withdrawnText: 'El fabricante del plugin ya no ofrece este producto.',
  requestHelp: 'Solicitar ayuda',
  helpSubject: 'Ayuda con {product}, número de serie {serial}',
  helpLimit:
    'Hola:\n\nHe alcanzado el límite de descargas de {product}. ¿Podrían restablecerlo?\n\nNúmero de serie: {serial}\n',
  helpSuspended:
    'Hola:\n\nMi licencia de {product} ha sido suspendida. ¿Podrían indicarme el motivo?\n\nNúmero de serie: {serial}\n',
  helpWithdrawn:
    'Hola:\n\nTengo {product}, que ya no ofrecen. ¿Podrían indicarme cómo descargarlo?\n\nNúmero de serie: {serial}\n',
  downloadFailed:
    'La descarga no ha comenzado. Inténtelo de nuevo y, si no funciona, póngase en contacto con el fabricante del plugin.',
  another: 'Canjear otro número',
  notYou: '¿No es usted?',
  retry: 'Intentar de nuevo',

  otherSystems: 'Otros sistemas',
  install: 'Cómo instalarlo',
  installMac:
    'Abra el archivo .pkg y siga los pasos. Desde un .dmg o un .zip, mueva el plugin a /Library/Audio/Plug-Ins: .component a Components, .vst3 a VST3, .clap a CLAP.',
  installWindows:
    'Abra el archivo .exe o .msi y siga los pasos. Desde un .zip, mueva el plugin a C:\\Program Files\\Common Files: .vst3 a VST3, .clap a CLAP.',
  installLinux:
    'Descomprima el archivo y mueva el plugin a su carpeta personal: .vst3 a .vst3, .clap a .clap, .lv2 a .lv2.',
  installRescan:
    'Después reinicie su programa de música o haga que busque plugins de nuevo, e introduzca el número de serie cuando el plugin lo pida.',
  moreText: '¿Ha canjeado más productos o ha cambiado de ordenador?',
  myProducts: 'Mis productos',
  freeComputer: 'Liberar un ordenador',
  freeIntro:
    'Introduzca la dirección con la que canjeó. Le enviaremos un enlace a sus productos, donde podrá liberar la plaza de un ordenador que ya no use.',
  message: 'Mensaje',
  messageNeeded: 'Escriba en qué necesita ayuda.',
  helpTo: 'Su mensaje llega a {name}, que responderá por correo.',
  helpToMaker: 'Su mensaje llega al fabricante del plugin, que responderá por correo.',
  sendMessage: 'Enviar',
  helpSent: 'Su mensaje está en camino. La respuesta llegará por correo.',
  helpTooMany: 'Hay demasiados mensajes por ahora. Inténtelo de nuevo mañana.',
  helpFailed: 'No se ha podido enviar el mensaje.',

  noEmail: '¿No recibió ningún correo tras su pedido?',
  findOrder: 'Buscar mi pedido',
  orderTitle: 'Busque su pedido',
  orderIntro:
    'Introduzca el número de su pedido y la dirección de correo que indicó al hacerlo. Le enviaremos un enlace a sus códigos.',
  orderNumber: 'Número de pedido',
  orderHint: 'Si su recibo tiene un código que empieza por ORDR, introdúzcalo.',
  orderNeeded: 'Introduzca el número de su pedido.',
  orderSent: 'Si este pedido existe, hemos enviado un enlace a sus códigos a su dirección de correo.',
  orderSentNote:
    'El enlace funciona durante 24 horas. Si no llega nada, revise la carpeta de spam, el número y la dirección. Un pedido nuevo puede tardar unos minutos.',
  orderAgain: 'Buscar otro pedido',
  orderOpened: 'Su pedido {order}',
  orderReady: 'Canjee cada código para que el producto sea suyo y pueda descargarlo.',
  orderPartly: 'Canjee cada código para que el producto sea suyo. Los demás llegarán por correo.',
  orderComing: 'Sus códigos están en camino. Los recibirá por correo en cuanto estén disponibles.',
  orderReturned:
    'Este pedido fue reembolsado, cancelado o disputado, por lo que no tiene códigos válidos. Si no es correcto, contacte con la tienda.',
  orderRedeem: 'Canjear',
  orderLook: 'Volver a mirar',

  findIntro: 'Introduzca la dirección con la que hizo el canje. Le enviaremos un enlace a todo lo asociado a ella.',
  findSubmit: 'Enviar el enlace',
  sending: 'Enviando',
  sentTitle: 'Revise su correo',
  sent: 'Si hay productos asociados a esta dirección, un correo con un enlace está en camino.',
  sentNote: 'El enlace es válido durante 30 minutos. Si no llega, mire en la carpeta de spam o pruebe otra dirección.',
  anotherAddress: 'Probar otra dirección',
  enterSerial: 'Introducir un número de serie',
  mineTitle: 'Sus productos',
  mineIntro: 'Todo lo asociado a {email}.',
  machines: { one: '{n} ordenador usa este número', other: '{n} ordenadores usan este número' },
  noMachines: 'Ningún ordenador usa este número.',
  offline: 'Ordenador sin conexión',
  offlineHint:
    'En un ordenador sin internet, el plugin escribe un archivo de equipo. Elíjalo aquí y lleve el archivo de licencia a ese ordenador. Ocupa una plaza hasta que caduque o hasta que elija aquí el archivo de liberación creado por el plugin.',
  machineFile: 'Elegir el archivo de equipo o de liberación',
  machineFileNeeded: 'No es un archivo de equipo. Elija el pequeño archivo de texto que ha creado el plugin.',
  offlineBusy: 'Creando el archivo de licencia',
  offlineDone: 'El archivo de licencia se ha guardado. Ábralo en el plugin de ese ordenador.',
  offlineFailed: 'No se ha podido crear el archivo de licencia.',
  unlockedForGood:
    'Este producto está desbloqueado para siempre. Su archivo lo abre en cualquier ordenador, sin servidor.',
  unlockFile: 'Descargar el archivo de desbloqueo',
  unlockedTitle: 'Desbloqueado para todos',
  unlockedText:
    'El fabricante regala estos productos a todo el mundo. El archivo abre su producto en cualquier ordenador, sin número de serie y sin servidor.',
  version: 'Versión {version}',
  lastSeen: 'Visto por última vez el {date}',
  free: 'Liberar esta plaza',
  freeTitle: '¿Liberar esta plaza?',
  freeText: 'El plugin dejará de funcionar en {machine} hasta que se vuelva a activar allí.',
  cancel: 'Cancelar',
  freeing: 'Liberando',
  freed: 'La plaza está libre. Ya se puede activar otro ordenador.',
  freeFailed: 'No se ha podido liberar la plaza.',
  linkTitle: 'Este enlace ya no funciona',
  newLink: 'Solicitar un enlace nuevo',

  deviceTitle: '¿Activar {product}?',
  deviceIntro: 'Un plugin espera su respuesta. Confirme solo si muestra este código.',
  deviceCode: 'Código',
  deviceCodeTitle: 'Introduzca el código de su plugin',
  deviceCodeIntro: 'El plugin muestra ocho letras, por ejemplo BCDF-GHJK.',
  deviceUnknown: 'Ningún plugin espera con este código. Quizá ha caducado: empiece de nuevo en el plugin.',
  deviceComputer: 'Ordenador',
  deviceUnnamed: 'Sin nombre',
  devicePlace: 'Lugar',
  deviceHere: 'En su red',
  deviceNowhere: 'Desconocido',
  deviceElsewhere: 'Está en otra red que este navegador. Si no lo ha iniciado usted, rechácelo.',
  deviceSign: 'Elija uno de sus números de serie con un enlace de su correo, o introduzca un número de serie.',
  deviceEmail: 'Recibir un enlace por correo',
  deviceFindIntro:
    'Introduzca la dirección de correo con la que canjeó. Le enviaremos un enlace para elegir el número de serie de su plugin.',
  deviceSent:
    'Abra el enlace en este navegador en los próximos 15 minutos. Si no llega nada, mire en la carpeta de spam o pruebe con otra dirección.',
  deviceChoose: '¿Qué número de serie?',
  deviceNone:
    'Aquí no hay ningún número de serie para este plugin. Pruebe con otra dirección de correo, o introduzca un número de serie.',
  deviceSeats: 'Plazas en uso: {used} de {max}',
  deviceKnown: 'Este ordenador ya tiene su plaza.',
  deviceFull:
    'Todas las plazas de este número de serie están en uso. Libere un ordenador que ya no use y después confirme.',
  deviceFullAsk:
    'Todas las plazas de este número de serie están en uso. Con un enlace por correo puede liberar un ordenador.',
  deviceConfirm: 'Confirmar',
  deviceConfirming: 'Confirmando',
  deviceDeny: 'Rechazar',
  deviceDoneTitle: 'Listo',
  deviceDone: 'Vuelva a su plugin. Estará activo en unos segundos.',
  deviceDeniedTitle: 'Rechazado',
  deviceDenied: 'El plugin no se ha activado. Puede cerrar esta página.',
  deviceFailed: 'No se ha podido enviar su respuesta.',

  closed:
    'El fabricante de estos plugins ha cerrado su cuenta. Lo que usted posee sigue funcionando: introduzca su número de serie para abrir sus descargas y guarde los archivos. Un número de serie que nunca se canjeó ya no se puede canjear. Pida el reembolso a la tienda que se lo vendió.',
  brandFailed: 'No se ha podido cargar la imagen de marca de este dominio.',
  help: '¿Necesita ayuda?',
  terms: 'Condiciones de uso',
  language: 'Idioma',

  failed: 'No se ha podido realizar el canje.',
  unexpected: 'Respuesta inesperada del servidor.',
  nameFailed: 'No se ha podido enviar el nombre.',
  nameUnexpected: 'El nombre se ha aceptado, pero no se han recibido los datos de descarga.',
  requestFailed: 'No se ha podido enviar el enlace.',
  openFailed: 'No se han podido abrir sus descargas.',
  waitSeconds: {
    one: 'Demasiados intentos. Espere un segundo e inténtelo de nuevo.',
    other: 'Demasiados intentos. Espere {n} segundos e inténtelo de nuevo.',
  },
  waitMinutes: {
    one: 'Demasiados intentos. Espere un minuto e inténtelo de nuevo.',
    other: 'Demasiados intentos. Espere {n} minutos e inténtelo de nuevo.',
  },
  serial_not_found:
    'No conocemos este número de serie. Compruebe que esté bien escrito o pegue el correo en el que lo recibió.',
  serial_already_redeemed:
    'Este número de serie ya se ha canjeado con otra dirección de correo. Pruebe sus otras direcciones o póngase en contacto con el fabricante del plugin.',
  serial_revoked: 'Esta licencia ha sido suspendida. Póngase en contacto con el fabricante del plugin.',
  developer_gone:
    'El fabricante del plugin ha cerrado su cuenta, por lo que este número de serie ya no se puede canjear. Pida el reembolso a la tienda que se lo vendió.',
  serial_expired:
    'Este número de serie ha caducado y ya no se puede canjear. Póngase en contacto con el fabricante del plugin.',
  serial_not_yet_valid: 'Este número de serie se podrá canjear a partir del {date}. Vuelva entonces.',
  quota_reached:
    'El fabricante del plugin ha agotado los canjes de este mes. Su número de serie es correcto: pídale que vuelva a abrir los canjes o inténtelo de nuevo el mes que viene.',
  temp_token_invalid:
    'La operación ha tardado demasiado o se ha enviado dos veces. Introduzca de nuevo el número de serie.',
  download_token_invalid:
    'Hay que volver a abrir las descargas. Introduzca el número de serie y la dirección de correo.',
  download_limit_reached: 'Límite de descargas alcanzado. Solicite que se restablezca.',
  ambiguous_serial:
    'Canjee este número de serie en la página del fabricante del plugin. El enlace figura en su pedido.',
  product_is_draft: 'Este producto todavía no está disponible. Inténtelo más tarde.',
  link_invalid: 'Es demasiado antiguo o se ha alterado. Obtener uno nuevo lleva solo un minuto.',
  unavailable: 'El servicio no está disponible por un momento. No se ha perdido nada: inténtelo dentro de un minuto.',
  network: 'No se puede conectar con el servidor. Compruebe su conexión e inténtelo de nuevo.',
};
