/** Topics of `tonerow help`. */
export const topics: Record<string, string> = {
  'exit-codes': `Exit codes

  0   done
  1   failed
  2   cancelled
  3   part of a bulk job failed; stderr says which
  4   not signed in, or the credential does not count
  5   slow down (rate limit), or the plan's quota is used up
  64  the command was written wrongly
`,
  environment: `Environment

  TONEROW_TOKEN               credential; wins over a stored one
  TONEROW_URL                 address of the server; wins over a stored one
  TONEROW_PROFILE             which stored sign-in to use (--profile)
  TONEROW_PLUGIN_KEY          plugin key for "tonerow license"
  TONEROW_DOWNLOAD_TOKEN      for "tonerow downloads"
  TONEROW_PROMPT_DISABLED     never ask
  TONEROW_NO_UPDATE_NOTIFIER  do not say that the server is newer
  XDG_CONFIG_HOME             where sign-ins are stored (~/.config)
  XDG_STATE_HOME              where runs with lost answers are remembered for a day (~/.local/state)
  NO_COLOR, FORCE_COLOR       no colors, or colors without a terminal (--color wins)
  CI                          plain output, no questions
`,
  formatting: `Formatting

  --json           JSON instead of a table; errors too, on stderr
  --json=id,name   only these fields; --json= lists those that there are
  --jq PROGRAM     what jq 1.8 makes of the JSON, texts without quotes

  tonerow products list --json=id,name,price
  tonerow products list --jq '.[] | select(.is_draft) | .name'
  tonerow serials list --state available --all --jq 'map(.code) | join(",")'

Lists are printed as they are read: a reader may stop early, as head does. jq needs the whole list first.
`,
};
