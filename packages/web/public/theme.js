// Runs before the first paint, so that a dark page never flashes white. External, because the policy forbids inline scripts.
try {
  // the frame of the dashboard is there before its code, for whoever is signed in
  if (
    localStorage.getItem('token') &&
    /^\/(?:dashboard|products|developer|reseller\/(?!register)|admin)(?:\/|$)/.test(location.pathname)
  )
    document.documentElement.classList.add('signed-in');
  if (localStorage.getItem('theme') === 'dark') document.documentElement.classList.add('dark');
} catch {
  // Storage can be blocked: the light theme is the default.
}
