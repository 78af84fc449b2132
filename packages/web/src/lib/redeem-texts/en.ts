/** A sentence with a number, in the language's plural forms; `{n}` is the number. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

const left: Plural = { one: '{n} download left', other: '{n} downloads left' };
const machines: Plural = { one: '{n} computer uses this serial', other: '{n} computers use this serial' };
const waitSeconds: Plural = {
  one: 'Too many attempts. Wait a second, then try again.',
  other: 'Too many attempts. Wait {n} seconds, then try again.',
};
const waitMinutes: Plural = {
  one: 'Too many attempts. Wait a minute, then try again.',
  other: 'Too many attempts. Wait {n} minutes, then try again.',
};

/** All text on the page. The English follows the specification where it has wording. */
export const en = {
  title: 'Redeem your serial',
  intro: 'Enter the code from your purchase. It unlocks your downloads.',
  serial: 'Serial',
  serialHint: 'Case, spaces and dashes do not matter. You can paste the whole email.',
  serialFound: 'We found this serial in what you pasted.',
  serialNeeded: 'Enter your serial.',
  email: 'Email',
  emailHint: 'Your plugin will be registered to this address.',
  emailNeeded: 'Enter your email address, for example you@example.com.',
  continue: 'Continue',
  checking: 'Checking',
  lost: 'Lost your serial?',
  find: 'Find my products',

  nameTitle: 'Who is it for?',
  nameIntro: 'We only ask once. Your plugin will be registered to this name.',
  firstName: 'First name',
  lastName: 'Last name',
  submit: 'Submit',
  back: 'Use another serial',
  namesNeeded: 'Please enter both first and last name',

  downloadsTitle: 'Your downloads',
  downloadsIntro: 'Keep the serial: your plugin asks for it when you start it.',
  opening: 'Opening your downloads',
  empty: 'You currently have no downloadable products.',
  noFiles: 'There is nothing to download here. Enter the serial in your plugin.',
  downloads: 'Downloads',
  left,
  copy: 'Copy',
  copied: 'Copied',
  active: 'Active',
  suspended: 'Suspended',
  limitReached: 'Limit reached',
  withdrawn: 'No longer offered',
  suspendedText: 'This license has been suspended.',
  limitText: 'Download limit reached. Request a reset.',
  withdrawnText: 'The plugin’s maker no longer offers this product.',
  requestHelp: 'Request Help',
  helpSubject: 'Help with {product}, serial {serial}',
  helpLimit: 'Hello,\n\nI have reached the download limit of {product}. Please reset it.\n\nSerial: {serial}\n',
  helpSuspended: 'Hello,\n\nMy license for {product} has been suspended. Please let me know why.\n\nSerial: {serial}\n',
  helpWithdrawn:
    'Hello,\n\nI own {product}, which you no longer offer. Please let me know how I can download it.\n\nSerial: {serial}\n',
  downloadFailed: 'The download did not start. Try again, and if that does not help, contact the plugin’s maker.',
  another: 'Redeem another',
  notYou: 'Not you?',
  retry: 'Try again',

  otherSystems: 'Other systems',
  install: 'How to install',
  installMac:
    'Open the .pkg and follow it. From a .dmg or .zip, move the plugin into /Library/Audio/Plug-Ins: .component into Components, .vst3 into VST3, .clap into CLAP.',
  installWindows:
    'Open the .exe or .msi and follow it. From a .zip, move the plugin into C:\\Program Files\\Common Files: .vst3 into VST3, .clap into CLAP.',
  installLinux:
    'Unpack the archive and move the plugin into your home folder: .vst3 into .vst3, .clap into .clap, .lv2 into .lv2.',
  installRescan:
    'Then restart your music software or have it scan for plugins again, and enter the serial when the plugin asks for it.',
  moreText: 'Have you redeemed more, or changed computers?',
  myProducts: 'My products',
  freeComputer: 'Release a computer',
  freeIntro:
    'Enter the email address you redeemed with. We will send you a link to your products, where you can release the seat of a computer you no longer use.',
  message: 'Message',
  messageNeeded: 'Write what you need help with.',
  helpTo: 'Your message goes to {name}, who answers by email.',
  helpToMaker: 'Your message goes to the plugin’s maker, who answers by email.',
  sendMessage: 'Send',
  helpSent: 'Your message is on its way. The answer comes by email.',
  helpTooMany: 'Too many messages for now. Please try again tomorrow.',
  helpFailed: 'The message could not be sent.',

  noEmail: 'No email after your order?',
  findOrder: 'Find my order',
  orderTitle: 'Find your order',
  orderIntro:
    'Enter the number of your order and the email address that you gave when you ordered. We will send you a link to its codes.',
  orderNumber: 'Order number',
  orderHint: 'If your receipt has a code that begins with ORDR, enter that.',
  orderNeeded: 'Enter the number of your order.',
  orderSent: 'If this order exists, we have sent a link to its codes to its email address.',
  orderSentNote:
    'The link works for 24 hours. If nothing arrives, check your spam folder, the number and the address. A new order can take some minutes.',
  orderAgain: 'Look for another order',
  orderOpened: 'Your order {order}',
  orderReady: 'Redeem each code to make its product yours and to download it.',
  orderPartly: 'Redeem each code to make its product yours. The others follow by email.',
  orderComing: 'Your codes are on their way. You get them by email as soon as they are there.',
  orderReturned:
    'This order was refunded, canceled or disputed, so it has no codes that work. Contact the shop if that is wrong.',
  orderRedeem: 'Redeem',
  orderLook: 'Look again',

  findIntro: 'Enter the email address you redeemed with. We will send you a link to everything that belongs to it.',
  findSubmit: 'Send the link',
  sending: 'Sending',
  sentTitle: 'Check your email',
  sent: 'If this address has products here, an email with a link is on its way.',
  sentNote: 'The link works for 30 minutes. If nothing arrives, check your spam folder or try another address.',
  anotherAddress: 'Try another address',
  enterSerial: 'Enter a serial',
  mineTitle: 'Your products',
  mineIntro: 'Everything that belongs to {email}.',
  machines,
  noMachines: 'No computer uses this serial.',
  offline: 'Offline computer',
  offlineHint:
    'On a computer without internet, the plugin writes a machine file. Choose that file here and take the license file back to the computer. It uses a seat until it expires.',
  machineFile: 'Choose the machine file',
  machineFileNeeded: 'This is not a machine file. Choose the small text file written by the plugin.',
  offlineBusy: 'Creating the license file',
  offlineDone: 'The license file was saved. Open it in the plugin on that computer.',
  offlineFailed: 'The license file could not be created.',
  version: 'Version {version}',
  lastSeen: 'Last seen {date}',
  free: 'Release this seat',
  freeTitle: 'Release this seat?',
  freeText: 'The plugin stops working on {machine} until you activate it there again.',
  cancel: 'Cancel',
  freeing: 'Releasing',
  freed: 'The seat is free. You can now activate another computer.',
  freeFailed: 'The seat could not be released.',
  linkTitle: 'This link no longer works',
  newLink: 'Request a new link',

  closed:
    'The maker of these plugins has closed their account. What you own keeps working: enter your serial to open your downloads, and keep the files. A serial that was never redeemed can no longer be redeemed. Ask the shop that sold it for a refund.',
  brandFailed: "We couldn't load branding for this domain.",
  help: 'Need help?',
  terms: 'Terms',
  language: 'Language',

  failed: 'Redemption failed.',
  unexpected: 'Unexpected response from server.',
  nameFailed: 'Name submission failed.',
  nameUnexpected: 'Name accepted but no download data received.',
  requestFailed: 'The link could not be sent.',
  openFailed: 'Your downloads could not be opened.',
  waitSeconds,
  waitMinutes,
  serial_not_found: 'We don’t recognize this serial. Check it for typos, or paste the email it came in.',
  serial_already_redeemed:
    'This serial has already been redeemed with another email address. Try your other addresses, or contact the plugin’s maker.',
  serial_revoked: 'This license has been suspended. Contact the plugin’s maker.',
  developer_gone:
    'The plugin’s maker has closed their account, so this serial can no longer be redeemed. Ask the shop that sold it for a refund.',
  serial_expired: 'This serial has expired and can no longer be redeemed. Contact the plugin’s maker.',
  serial_not_yet_valid: 'This serial can be redeemed from {date}. Come back then: it will be waiting for you.',
  quota_reached:
    'The plugin’s maker has used up this month’s redemptions. Your serial is fine: ask them to open redemptions again, or try again next month.',
  temp_token_invalid: 'This took too long or was sent twice. Enter your serial again.',
  download_token_invalid: 'Your downloads need to be opened again. Enter your serial and email address.',
  download_limit_reached: 'Download limit reached. Request a reset.',
  ambiguous_serial: 'Please redeem this serial on the page of the plugin’s maker. The link is in your order.',
  product_is_draft: 'This product is not available yet. Please try again later.',
  link_invalid: 'It has expired or was damaged on the way. A new one takes a minute.',
  unavailable: 'We’ll be right back. Nothing is lost: try again in a minute.',
  network: 'We can’t reach the server. Check your connection and try again.',
};

type Shape = typeof en;
export type Texts = { [Key in keyof Shape]: Shape[Key] extends string ? string : Plural };
