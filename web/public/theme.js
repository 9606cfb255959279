// Sets the chosen theme and density before the first paint. A file of its own, since the content security policy allows no inline script.
(function () {
  try {
    var root = document.documentElement;
    var theme = localStorage.getItem('qinbox.theme');
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
    if (localStorage.getItem('qinbox.density') === 'compact') root.dataset.density = 'compact';
  } catch (error) {
    // Storage is blocked: the system's theme applies.
  }
})();
