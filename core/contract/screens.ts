// The addresses of the web app, for the server that answers them and the app that draws them.

/** The addresses of the web app's screens, `:name` for any one part; the server answers others with 404. */
export const SCREENS = [
  '/',
  '/inbox',
  '/api-docs',
  '/admin',
  '/admin/appearance',
  '/admin/notifications',
  '/admin/keyboard',
  '/admin/escalation',
  '/admin/webhooks',
  '/admin/slack',
  '/admin/users',
  '/admin/system',
  '/admin/intakes',
  '/admin/intakes/new',
  '/admin/intakes/:id',
] as const;
