// Runs before the first paint, so that a dark page never flashes white. External, because the policy forbids inline scripts.
try {
  // shows the frame of the dashboard before its code has loaded, if somebody is signed in
  if (
    localStorage.getItem('token') &&
    /^\/(?:dashboard|products|developer|reseller\/(?!register)|admin)(?:\/|$)/.test(location.pathname)
  )
    document.documentElement.classList.add('signed-in');
  if (localStorage.getItem('theme') === 'dark') document.documentElement.classList.add('dark');
} catch {
  // Storage can be blocked: the light theme is the default.
}
