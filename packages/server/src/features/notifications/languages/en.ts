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

  leftSubject: 'Your email address at {developer} was changed',
  leftText:
    '{developer} has changed the email address of your products to {address}. From now on they open with that address.',
  leftUnasked: 'If you did not ask for this, contact them.',

  givenSubject: 'Your products from {developer} have a new email address',
  givenText:
    '{developer} has put your products under this email address. Open your downloads with it and your serials.',

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
  mineOpen: 'Open all my products',

  closedSubject: '{developer} has closed their account',
  closedText:
    '{developer} used Tonerow for the licenses of their plugins, and has closed that account. What you own keeps working: your plugins still validate, and you can activate them on your computers as before.',
  closedDownload:
    'Download your files now, and keep this email: you can open your downloads with the serial and this email address for as long as the files exist.',
  closedUnredeemed:
    'Serials that were never redeemed can no longer be redeemed. If you have one, ask the shop that sold it for a refund.',

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
