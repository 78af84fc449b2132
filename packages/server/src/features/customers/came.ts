/**
 * Customer `c` has come by themselves with the address that they have: redeemed here, or followed a link that was sent to it. An import, a plugin
 * with the developer's own key, a transfer and a changed address prove nothing, and such a person is in no email to many. Otherwise a list
 * of strangers and a key would be a way to email them.
 */
export const CAME = 'c.last_login_at is not null';
