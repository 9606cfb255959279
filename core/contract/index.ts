// The one description of every shape and call.
export * from './account.ts';
export * from './admin.ts';
export * from './auth.ts';
export * from './common.ts';
export * from './follow-ups.ts';
export * from './intake-routes.ts';
export * from './intakes.ts';
export * from './limits.ts';
export * from './live.ts';
export * from './protocol.ts';
export * from './push.ts';
export * from './system.ts';
export * from './task-change-routes.ts';
export * from './task-routes.ts';
export * from './tasks.ts';
export * from './views.ts';
export * from './webhooks.ts';

import { accountRoutes } from './account.ts';
import { adminRoutes } from './admin.ts';
import { authRoutes } from './auth.ts';
import { digestRoutes, escalationRoutes } from './follow-ups.ts';
import { intakeRoutes } from './intake-routes.ts';
import { pushRoutes } from './push.ts';
import { systemRoutes } from './system.ts';
import { taskRoutes } from './task-routes.ts';
import { viewRoutes } from './views.ts';
import { webhookRoutes } from './webhooks.ts';

/** Every call of the API but those that adapters add, by resource. */
export const routes = {
  tasks: taskRoutes,
  auth: authRoutes,
  intakes: intakeRoutes,
  system: systemRoutes,
  admin: adminRoutes,
  views: viewRoutes,
  push: pushRoutes,
  webhooks: webhookRoutes,
  escalations: escalationRoutes,
  digest: digestRoutes,
  account: accountRoutes,
};
export type Routes = typeof routes;
