// Sets the chosen theme and density before the first paint, and tells the page that somebody is signed in. A file of its own,
// since the content security policy allows no inline script.
try {
  const { dataset } = document.documentElement;
  const theme = localStorage.getItem('qinbox.theme');
  if (theme === 'light' || theme === 'dark') {
    dataset.theme = theme;
    for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
      meta.media = meta.dataset.scheme === theme ? 'all' : 'not all';
  }
  if (localStorage.getItem('qinbox.density') === 'compact') dataset.density = 'compact';
  if (['accessToken', 'refreshToken', 'apiKey'].some((name) => localStorage.getItem(name) !== null))
    dataset.known = '';
} catch {
  // Storage is blocked: the system's theme applies.
}
