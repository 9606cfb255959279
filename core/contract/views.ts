// Saved views: filters of the inbox with a name, which a user has on every device.
import { Type, type Static } from 'typebox';
import { errors, id, nonBlank, nullable, refTo, routesTagged, shape, success } from './common.ts';
import { MAX_VIEWS } from './limits.ts';

const route = routesTagged('Views');

const fields = {
  name: nonBlank('Please enter a name for the view', { maxLength: 60, examples: ['Production'] }),
  key: nullable(
    Type.String({
      pattern: '^[4-9]$',
      'x-refusal': 'must be a digit from 4 to 9',
      description: 'The key that opens it, 4 to 9.',
    }),
  ),
  query: Type.String({
    maxLength: 1000,
    description: 'The query of its address in the web app.',
    examples: ['q=%23ops&order=priority'],
  }),
};

/** A view as its user sees it. */
export const View = shape('View', { id: Type.String(), ...fields });
export type View = Static<typeof View>;

/** What a view is made of. Its name and key are of no other view of the user. */
export const SaveView = shape('SaveView', fields);
export type SaveView = Static<typeof SaveView>;

export const viewRoutes = {
  list: route('GET', '/views', 'read', {
    operationId: 'listViews',
    summary: 'List the own saved views, by name',
    response: { 200: Type.Object({ success, views: Type.Array(refTo(View)) }) },
  }),
  create: route('POST', '/views', 'write', {
    operationId: 'createView',
    summary: 'Save a view',
    description: `At most ${MAX_VIEWS}; a name or a key that another view has is refused with 409.`,
    body: SaveView,
    response: { 201: Type.Object({ success, view: refTo(View) }), ...errors(400, 409, 413, 415) },
  }),
  save: route('PUT', '/views/:id', 'write', {
    operationId: 'saveView',
    summary: 'Change a saved view',
    params: id,
    body: SaveView,
    response: { 200: Type.Object({ success, view: refTo(View) }), ...errors(400, 404, 409, 413, 415) },
  }),
  remove: route('DELETE', '/views/:id', 'write', {
    operationId: 'deleteView',
    summary: 'Delete a saved view',
    params: id,
    response: { 200: Type.Object({ success }), ...errors(400, 404) },
  }),
};
