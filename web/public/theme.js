// Sets the chosen theme and density before the first paint. A file of its own, since the content security policy allows
// no inline script.
try {
  const { dataset } = document.documentElement;
  const theme = localStorage.getItem('qinbox.theme');
  if (theme === 'light' || theme === 'dark') dataset.theme = theme;
  if (localStorage.getItem('qinbox.density') === 'compact') dataset.density = 'compact';
} catch {
  // Storage is blocked: the system's theme applies.
}
