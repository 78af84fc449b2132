/** What emails to customers contain, with `{name}` places. Developers’ own texts stay as they are. */
export const en = {
  hello: 'Hello,',
  helloName: 'Hello {name},',
  needHelp: 'Need help? {ways}',
  or: 'or',
  help: 'Help',
  product: 'Product',
  serial: 'Serial',
  files: 'Files',
  open: 'Open your downloads',

  redeemedSubject: '{product} is yours',
  redeemedText:
    'You have redeemed {product}. Keep this email: you can open your downloads again with the serial and this email address.',

  soldSubject: 'Your code for {product}',
  soldText: '{reseller} sold you {product} by {developer}. Redeem this code to make it yours and to download it.',
  soldKeep: 'Until then, keep this email to yourself: whoever has the code can redeem it.',
  soldUnasked: 'If you have not bought it, ignore this email.',
  orderedSubject: 'Your codes from {developer}',
  orderedText: 'Thank you for your order {order}. Redeem each code to make its product yours and to download it.',
  orderLinkSubject: 'Your order at {developer}',
  orderLinkText: 'Somebody, hopefully you, asked for the codes of your order at {developer}.',
  orderLinkLasts: 'The link shows them and works for 24 hours. If it was not you, ignore this email.',
  quietLinkSubject: 'The codes of your order',
  quietLinkText: 'Somebody, hopefully you, asked for the codes of an order of audio plugins.',
  redeemBy: 'Redeem by',
  redeem: 'Redeem your code',

  leftSubject: 'Your email address at {developer} was changed',
  leftText:
    '{developer} has changed the email address of your products to {address}. From now on they open with that address.',
  leftUnasked: 'If you did not ask for this, contact them.',

  movedSubject: '{product} was moved to another owner',
  movedText: '{developer} has moved {product} ({code}) to another owner. It no longer opens with your email address.',
  receivedSubject: '{product} is yours now',
  receivedText:
    '{developer} has moved {product} ({code}) to you. Open your downloads with this email address and the serial.',

  mineSubject: 'Your products from {developer}',
  mineText: 'Somebody, hopefully you, asked for all products from {developer} that belong to this email address.',
  mineSubjectClosed: 'Your products',
  mineTextClosed: 'Somebody, hopefully you, asked for all products that belong to this email address.',
  mineLink:
    'The link opens them, with their serials and machines, and works for 30 minutes. If it was not you, ignore this email.',
  mineLast:
    'The link opens them, with their serials and machines. It is the last one for now, and works for 24 hours. If it was not you, ignore this email.',
  mineOpen: 'Open all my products',

  seatCodeSubject: 'Code for the computers with your {developer} plugin',
  seatCodeSubjectClosed: 'Code for the computers with your plugin',
  seatCodeText:
    'Somebody, hopefully you, wants to see which computers use your license, to release one of them. Enter this code in the plugin.',
  seatCodeLasts:
    'It works for 15 minutes. Give it to nobody who asks you for it. If it was not you, ignore this email: nothing changes without the code.',
  seatCode: 'Your code',

  closedSubject: '{developer} has closed their account',
  closedText:
    '{developer} used Tonerow for the licenses of their plugins, and has closed that account. What you own keeps working: your plugins still validate, and you can activate them on your computers as before.',
  closedDownload:
    'Download your files now, and keep this email: you can open your downloads with the serial and this email address for as long as the files exist.',
  closedUnredeemed:
    'Serials that were never redeemed can no longer be redeemed. If you have one, ask the shop that sold it for a refund.',

  quietSoldSubject: 'Your code for an audio plugin',
  quietSoldText:
    'Somebody sold you this code for an audio plugin. The page below shows what it is for, and makes it yours.',
  quietOrderedSubject: 'Your codes for audio plugins',
  quietOrderedText:
    'Somebody sold you these codes for audio plugins. The page below shows what each of them is for, and makes it yours.',
  quietGivenSubject: 'A serial for an audio plugin is yours',
  quietGivenText:
    'The maker of an audio plugin has given a serial to this email address. Open it to see what it is and to download it.',
  quietMovedSubject: 'A serial for an audio plugin was moved to another owner',
  quietMovedText:
    'The maker of an audio plugin has moved a serial that belonged to this email address to another owner. It no longer opens with this address.',
  quietAddressSubject: 'Audio plugins were put under your email address',
  quietAddressText:
    'The maker of audio plugins has put serials under this email address. Open them to see what they are and to download them.',
  quietLeftSubject: 'Your email address at a plugin maker was changed',
  quietLeftText:
    'The maker of audio plugins has changed the email address of your serials. They no longer open with this address.',
  quietVersionSubject: 'There is a new version of an audio plugin',
  quietVersionText:
    'An audio plugin that was redeemed with this email address has a new version. Open your downloads to get it. Once you have, these emails have its maker’s own words; until then they come at most once a month.',
  quietClosedSubject: 'A plugin maker has closed their account',
  quietClosedText:
    'The maker of audio plugins that were redeemed with this email address used Tonerow for their licenses, and has closed that account. What you own keeps working: your plugins still validate, and you can activate them on your computers as before.',
  quietMaker: 'The maker’s email address is {maker}.',
  quietSeller: 'The seller’s email address is {seller}.',
  quietIgnore: 'If you do not know what this is about, ignore this email.',

  versionSubject: '{product} {version} is available',
  versionText: 'A new version of {product} is available: {version}. What you own includes it.',
  newVersion: 'New version',
  updatesAsk: 'Stop emails from {developer} about new versions of what you own?',
  updatesStop: 'Unsubscribe',
  updatesStopped: '{developer} will no longer email you about new versions. Emails about what you redeem still come.',
  updatesAgain: 'Send them again',
  updatesWanted: '{developer} will email you about new versions of what you own.',
  updatesGone: 'Such emails no longer go to this address.',
};

export type EmailTexts = Record<keyof typeof en, string>;
