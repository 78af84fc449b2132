/** Every email there is: who gets it, who can have it sent, what limits that, and what of another person's words is in it. */
export interface EmailRow {
  /**
   * `self`: the account that caused it. `partner`: the other side of a partnership. `anybody`: an address that somebody
   * typed.
   */
  to: 'self' | 'partner' | 'customer' | 'developer' | 'anybody' | 'everybody';
  /** Operations, and what the server does by itself. */
  by: readonly Cause[];
  /** The policies that are taken each time, beside those of the route. With none, `because`. */
  limits: readonly string[];
  /** The reason why it is not sent often, if no policy limits it. */
  because?: string;
  /** The words of somebody else that its reader gets. */
  words: string;
}

/** The id of an operation; or, in words, what the server does without being asked. */
export type Cause = string;

const CAUSED = ['caused_recipient', 'caused_emails'] as const;
const OWN = 'None: about an act or the plan of the reader’s own account.';
const HELD =
  'Held back past 20 a day in one developer’s name to one address, and the log says so; a redemption never waits for it.';

/**
 * The emails, by the name of the function that composes each. A new email without a row fails the test, and so does a
 * row without an email.
 */
export const emailTable: Record<string, EmailRow> = {
  // about accounts
  verificationEmail: {
    to: 'anybody',
    by: ['registerDeveloper', 'registerReseller', 'resendVerification'],
    limits: ['account_email'],
    because: 'Registering sends one for each new account.',
    words: 'None.',
  },
  accountExistsEmail: {
    to: 'anybody',
    by: ['registerDeveloper', 'registerReseller'],
    limits: ['account_email'],
    words: 'None.',
  },
  resetEmail: { to: 'anybody', by: ['forgotPassword'], limits: ['account_email'], words: 'None.' },
  passwordChangedEmail: {
    to: 'self',
    by: ['updatePassword', 'resetPassword'],
    limits: [],
    because: 'Needs the password, or a link that works once.',
    words: OWN,
  },
  securityEmail: {
    to: 'self',
    by: [
      'login',
      'finishDeviceSignIn',
      'enableTwoFactor',
      'disableTwoFactor',
      'renewRecoveryCodes',
      'createAccessToken',
      'createTrust',
      'updateTrust',
    ],
    limits: [],
    because: 'Needs the password or an open session of the account.',
    words:
      'The name of an access token or a trust, and the latter’s jobs, which its reader gave; a machine’s name without signs.',
  },
  accountDeletedEmail: { to: 'self', by: ['deleteAccount'], limits: [], because: 'Once.', words: OWN },
  operatorTestEmail: {
    to: 'anybody',
    by: ['a command: tonerow-server emails test'],
    limits: [],
    because: 'Needs the settings of the server, on its machine.',
    words: 'None.',
  },
  testEmail: {
    to: 'self',
    by: ['sendTestEmail'],
    limits: [],
    because: 'The route has a limit of ten an hour.',
    words: OWN,
  },
  announcementEmail: {
    to: 'everybody',
    by: ['sendAnnouncement'],
    limits: [],
    because: 'An admin’s, to accounts that have not switched them off.',
    words: 'The admin’s.',
  },

  // about money: to the account that pays
  switchedEmail: { to: 'self', by: ['subscribe'], limits: ['plan_switches'], words: OWN },
  expiringCardEmail: {
    to: 'self',
    by: ['daily: a card expires soon'],
    limits: [],
    because: 'Once for a card.',
    words: OWN,
  },
  paidEmail: { to: 'self', by: ['hourly: the collection'], limits: [], because: 'Once for an invoice.', words: OWN },
  chargeFailedEmail: {
    to: 'self',
    by: ['hourly: the collection'],
    limits: [],
    because: 'Once for an attempt.',
    words: OWN,
  },
  givenUpEmail: { to: 'self', by: ['hourly: the collection'], limits: [], because: 'Once for an invoice.', words: OWN },
  quotaEmail: { to: 'self', by: ['by usage: 80 and 100 percent'], limits: [], because: 'Twice a month.', words: OWN },
  refusedEmail: { to: 'self', by: ['by usage: a refused redemption'], limits: [], because: 'Once a day.', words: OWN },
  failingEmail: {
    to: 'self',
    by: ['by failure: a webhook'],
    limits: [],
    because: 'Four times until it is switched off.',
    words: OWN,
  },
  shopEmail: {
    to: 'self',
    by: ['by a shop: something that is not mapped'],
    limits: [],
    because: 'Once for each key that is not mapped, and once for each trouble; the reader’s own switch.',
    words: 'The shop’s name, what it sells.',
  },
  lowStockEmail: {
    to: 'self',
    by: ['by redemption: stock is low'],
    limits: [],
    because: 'Once, until there is enough again.',
    words: OWN,
  },
  resellerLowStockEmail: {
    to: 'self',
    by: ['by redemption: a reseller’s stock is low'],
    limits: [],
    because: 'Once, until there is enough again; the reader’s own switch.',
    words: 'The reseller’s name.',
  },
  redeemedEmail: {
    to: 'self',
    by: ['by redemption'],
    limits: [],
    because: 'The reader’s own choice; one a day instead is another.',
    words: 'The customer’s name and address.',
  },
  digestEmail: { to: 'self', by: ['daily: redemptions'], limits: [], because: 'Once a day.', words: OWN },

  // between partners, who both had to have a verified address to become that
  invitationEmail: {
    to: 'anybody',
    by: ['inviteResellers', 'inviteDeveloper', 'resendInvite'],
    limits: [...CAUSED, 'invites', 'invite_address'],
    words:
      'With a verified account: the inviter’s name and message. Everybody else: the inviter’s verified address alone.',
  },
  answerEmail: {
    to: 'partner',
    by: ['respondToInvite'],
    limits: [],
    because: 'Once for an invitation, which its reader sent.',
    words: 'The name of whoever was invited.',
  },
  messageEmail: {
    to: 'partner',
    by: ['messageReseller'],
    limits: [...CAUSED, 'partner_message', 'partner_messages'],
    words: 'A message; its reader can switch these off.',
  },
  rateChangedEmail: { to: 'partner', by: ['changeReseller'], limits: CAUSED, words: 'The developer’s name.' },
  pausedEmail: { to: 'partner', by: ['pauseReseller'], limits: CAUSED, words: 'The developer’s name.' },
  resumedEmail: { to: 'partner', by: ['resumeReseller'], limits: CAUSED, words: 'The developer’s name.' },
  mergedEmail: {
    to: 'partner',
    by: ['mergeReseller'],
    limits: CAUSED,
    words: 'The developer’s name, and that of the other reseller.',
  },
  endedEmail: {
    to: 'partner',
    by: ['endReseller', 'deleteAccount'],
    limits: CAUSED,
    because: 'Counted, and never held back: a partnership ends once, and its end has to be known.',
    words: 'The leaver’s name.',
  },
  requestedEmail: {
    to: 'partner',
    by: ['requestDeal'],
    limits: [...CAUSED, 'deal_requests'],
    words: 'A note; its reader can switch these off.',
  },
  acceptedEmail: {
    to: 'partner',
    by: ['generateSerials'],
    limits: CAUSED,
    words: 'The developer’s and the product’s name.',
  },
  declinedEmail: {
    to: 'partner',
    by: ['declineDealRequest'],
    limits: CAUSED,
    words: 'A reason; its reader can switch these off.',
  },
  newDealEmail: {
    to: 'partner',
    by: ['generateSerials'],
    limits: CAUSED,
    words: 'The developer’s and the product’s name.',
  },
  statementEmail: {
    to: 'partner',
    by: ['monthly: the close'],
    limits: [],
    because: 'Once for a statement.',
    words: 'The developer’s name.',
  },
  monthClosedEmail: {
    to: 'self',
    by: ['monthly: the close'],
    limits: [],
    because: 'Once a month.',
    words: 'The resellers’ names.',
  },
  statementNoticeEmail: {
    to: 'partner',
    by: [
      'confirmPayout',
      'disputePayout',
      'answerPayoutDispute',
      'markPayoutPaid',
      'reversePayoutPayment',
      'daily: reminders',
    ],
    limits: CAUSED,
    because: 'Reminders have a calendar of their own.',
    words: 'The reason or answer.',
  },
  ownLowStockEmail: {
    to: 'partner',
    by: ['by redemption: the reader’s stock is low'],
    limits: [],
    because: HELD,
    words: 'The developer’s and the product’s name.',
  },
  resaleEmail: {
    to: 'partner',
    by: ['by redemption: of what the reader sold'],
    limits: [],
    because: 'The reader’s own choice; one a day instead is another.',
    words: 'The names of the developer, the product and the customer.',
  },
  resellerDigestEmail: {
    to: 'partner',
    by: ['daily: redemptions of what the reader sold'],
    limits: [],
    because: 'Once a day.',
    words: 'Names of developers and products.',
  },

  // to customers, in a developer's name
  customerEmail: {
    to: 'customer',
    by: ['initiateRedemption', 'completeRedemption', 'by activation: a plugin redeems', 'resendSerialEmail'],
    limits: [...CAUSED, 'resend_email'],
    because: HELD,
    words:
      'What was redeemed with this address: product, serial, files, the developer’s look. Nobody can have it sent without using up a serial, and who never redeemed gets a quiet one instead.',
  },
  quietEmail: {
    to: 'customer',
    by: [
      'changeCustomer',
      'transferSerial',
      'resendSerialEmail',
      'announceFileVersion',
      'deleteAccount',
      'sellSerial',
      'emailHandSale',
      'by a shop: an order',
      'requestOrder',
    ],
    limits: [...CAUSED, 'resend_email', 'transfer', 'version_emails', 'sale_email'],
    because: 'About new versions once a month to one address; about a closed account once.',
    words:
      'None, but the developer’s or the seller’s verified address: for whoever has never followed a link of ours. Of an order of a shop the names of what was bought, unless they look like a link.',
  },
  soldEmail: {
    to: 'customer',
    by: ['sellSerial', 'emailHandSale', 'by a shop: an order of one'],
    limits: [...CAUSED, 'sale_email'],
    words: 'Reseller, developer, product. Only to customers of the developer who came; others get a quiet one.',
  },
  orderedEmail: {
    to: 'customer',
    by: ['by a shop: an order of several'],
    limits: [],
    because: HELD,
    words:
      'Developer, products, the order’s number. Only to customers of the developer who came; others get a quiet one.',
  },
  orderLinkEmail: {
    to: 'customer',
    by: ['requestOrder'],
    limits: ['order_links_address'],
    because: 'Ten a day at one developer, and only to the address of an order that was paid.',
    words: 'The developer’s name and look, only to customers of the developer who came; others get a quiet one.',
  },
  addressLeftEmail: {
    to: 'customer',
    by: ['changeCustomer'],
    limits: CAUSED,
    words: 'Developer, new address. Only to addresses that have followed a link; others get a quiet one.',
  },
  serialLeftEmail: {
    to: 'customer',
    by: ['transferSerial'],
    limits: [...CAUSED, 'transfer'],
    words: 'Developer, product, serial. Only to addresses that have followed a link; others get a quiet one.',
  },
  serialGivenEmail: {
    to: 'customer',
    by: ['transferSerial'],
    limits: [...CAUSED, 'transfer'],
    words: 'Developer, product, serial. Only to addresses that have followed a link; others get a quiet one.',
  },
  newVersionEmail: {
    to: 'customer',
    by: ['announceFileVersion'],
    limits: ['version_emails'],
    because: `Once a day for a product, with a link that stops them. ${HELD}`,
    words: 'A note. Only to addresses that have followed a link; others who redeemed get a quiet one.',
  },
  accountClosedEmail: {
    to: 'customer',
    by: ['deleteAccount'],
    limits: [],
    because: 'Once.',
    words:
      'Developer, products, serials. Only to addresses that have followed a link; others who redeemed get a quiet one.',
  },
  myProductsEmail: {
    to: 'customer',
    by: ['requestMyProducts'],
    limits: ['my_products_account'],
    because: 'Ten a day at one developer; the link of the last works for a day, so that nobody is without one.',
    words: 'The developer’s name and look, for whoever has redeemed something here; else none.',
  },
  seatCodeEmail: {
    to: 'customer',
    by: ['sendSeatCode'],
    limits: ['license_seat_code'],
    because: 'Ten a day for one serial; who knows no serial has none sent.',
    words: 'The developer’s name and look, for whoever has redeemed something here; else none.',
  },
  helpRequestEmail: {
    to: 'developer',
    by: ['requestHelp'],
    limits: ['help_serial', 'help_developer'],
    words: 'A message of whoever has shown a serial of the reader’s.',
  },
};
