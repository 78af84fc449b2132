/** Topics of `tonerow help`. */
export const topics: Record<string, string> = {
  'exit-codes': `Exit codes

  0   done
  1   failed
  2   canceled
  3   done, and not all of it succeeded: part of a bulk job, a test, a check; see stderr
  4   not signed in, or the credential is not valid or lacks a scope
  5   rate limited, or the plan's quota is used up
  8   waiting for a person: "tonerow login" without a terminal has printed a code
  64  usage error
`,
  environment: `Environment

  TONEROW_TOKEN               credential; takes precedence over a stored one
  TONEROW_TRUST               trust ("tonerow trust add") by which a CI job signs in without a secret
  TONEROW_ID_TOKEN            identity token of a job at GitLab, for TONEROW_TRUST; GitHub's is found.
                              Each is good for 15 minutes: TONEROW_ID_TOKEN_2 and so on for longer jobs
  TONEROW_URL                 URL of the server; takes precedence over a stored one,
                              whose sign-in is never sent to another server
  TONEROW_PROFILE             which stored sign-in to use (--profile)
  TONEROW_PLUGIN_KEY          plugin key for "tonerow license"
  TONEROW_DOWNLOAD_TOKEN      for "tonerow downloads"
  TONEROW_WEBHOOK_SECRET      secret or public key for "tonerow webhooks listen" and "verify"
  TONEROW_SHOP_SECRET         secret of a shop, for "tonerow shops connect", "update", "rotate" and "open"
  TONEROW_SHOP_KEY            key of a shop’s API, for "tonerow shops open"
  TONEROW_SHOP_LICENSE_KEY    private key of FastSpring’s license call, for "tonerow shops open"
  TONEROW_PROMPT_DISABLED     never ask
  TONEROW_NO_UPDATE_NOTIFIER  do not report that the server is newer
  HTTPS_PROXY, HTTP_PROXY     proxy for servers with https:// and http://; never for this machine
  NO_PROXY                    names, addresses and networks without it, or * for all: example.com,10.0.0.0/8
  SSL_CERT_FILE               PEM file with the only authorities to trust
  NODE_EXTRA_CA_CERTS         PEM file with authorities to trust besides those of Node
  XDG_CONFIG_HOME             where sign-ins are stored (~/.config)
  XDG_STATE_HOME              where runs with lost responses are remembered for a day (~/.local/state)
  NO_COLOR, FORCE_COLOR       no colors, or colors without a terminal (--color wins)
  GITHUB_ACTIONS              errors are annotations, and in the job's summary
  CI                          plain output, no questions; false and 0 are as if it were not set
`,
  formatting: `Formatting

  --json           JSON instead of a table; errors too, on stderr
  --json id,name   only these fields; --json= lists the available fields
  --jq PROGRAM     output of a jq 1.8 program, strings without quotes
  -t TEMPLATE      output of a Go template; functions: and, eq, ge, gt, index, join,
                   json, le, len, lt, ne, not, or, pluck, printf, truncate;
                   printf takes %s, %v, %d, %f, %q and %t, such as %-12s or %8.2f

  tonerow products list --json=id,name,price
  tonerow products list --jq '.[] | select(.is_draft) | .name'
  tonerow serials list --state available --all --jq '.[].code'
  tonerow products list -t '{{range .}}{{.id}} {{.name}}{{"\n"}}{{end}}'

Lists are printed as they are read, so a reader such as head can stop early. So is what --jq makes of each row: programs that
begin with .[] or map(…), length, add, and reduce .[] as $row (…). Any other needs all rows at once, at most 50,000.
`,
  guides: `Guides

  first-batch       create a product, generate serials and redeem one
  signing-in        sign in a terminal with a code in the browser
  batches-in-ci     generate serials from a pipeline
  brand-and-domain  put your logo, color and domain on the redemption page
  juce              license a plugin made with JUCE
  hise              license a plugin made with HISE
  any-plugin        call the licensing API from any language
  offline-machines  license a computer that has no internet connection
  new-version       replace a plugin's files, email its owners, and go back
  rotating-keys     replace a plugin key without breaking released builds
  draw-codes        hand out a code at the moment of sale, as a reseller
  sell-by-hand      sell one code yourself, on the phone or at a fair
  webhooks          have events sent to a server of your own
  moving-in         import the serials and customers you already have
  running-it        run the server for others: domain, email, database, backup

Your server has them at /help, such as SERVER/help/first-batch.
`,
};
