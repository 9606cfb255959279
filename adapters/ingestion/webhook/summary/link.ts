// Where to click: of all addresses in a payload the page of the thing itself. Never one that does something
// when it is opened, such as cancelling.
import type { ScalarField } from './scalar-fields.ts';
import { PEOPLE, WRAPPERS } from './wrappers.ts';

const LINK_NAMES =
  'htmlurl weburl permalink shortlink link clickurl click actionurl detailsurl targeturl dashboardurl incidenturl alerturl runurl buildurl joburl url href uri externalurl'.split(
    ' ',
  );
/** Without a user: an `@` stands in the path alone. */
const ADDRESS = /^https?:\/\/[^\s@/?#]{1,300}(?:[/?#]\S{0,2000})?$/i;
/** Of Azure DevOps, Atlassian, Calendly and others: it shows JSON to who opens it. */
const API = /^https?:\/\/api\.|\/(?:_apis|rest\/api)\//i;
/** A page of Bitbucket Server, which calls it `self` as others call their API. */
const SELF_PAGE =
  /^https?:\/\/[^\s@?#]{1,500}\/(?:projects|users)\/[\w~.-]{1,130}\/repos\/[^/?#\s]{1,130}\//i;
/** Words of names of addresses that are for programs, show a picture, or do something. */
const ELSEWHERE =
  /^(?:avatar|image|icon|logo|api|callback|hook|hooks|webhook|git|clone|unsubscribe|cert|cancel|cancellation|reschedule|decline|reject|delete|remove|approve|accept|stop)$/;

/** The best of the payload's addresses; null for none. */
export function linkIn(fields: readonly ScalarField[]): string | null {
  let best: { url: string; score: number } | null = null;
  for (const { name, words, parents, value } of fields) {
    if (typeof value !== 'string' || !ADDRESS.test(value) || API.test(value) || !URL.canParse(value))
      continue;
    const known = LINK_NAMES.indexOf(name);
    // `links: { deployment: 'https://…' }`
    const isListed = /^(?:perma)?links$/.test(parents.at(-1) ?? '') && name !== 'self';
    const isLink = known !== -1 || isListed || ['url', 'link'].includes(words.at(-1) ?? '');
    if (!isLink || words.some((word) => ELSEWHERE.test(word))) continue;
    const [holder = '', relation = ''] = parents.slice(-2);
    const isLinks = holder === 'links' && name === 'href';
    // `links.self` is the thing in an API, `links.html` its page.
    const isSelf = isLinks && relation === 'self';
    if (isSelf && !SELF_PAGE.test(value)) continue;
    const isPage = isSelf || (isLinks && /^(?:html|web)$/.test(relation));
    const around = isPage ? parents.slice(0, -2) : isListed ? parents.slice(0, -1) : parents;
    const strange = around.filter((parent) => !WRAPPERS.has(parent)).length;
    // Where somebody or a whole server is found tells less.
    const isAside = around.some((parent) => PEOPLE.has(parent)) || /^(?:server|base)$/.test(words[0] ?? '');
    const rank = isPage ? 0 : known === -1 ? 30 : known;
    const score = rank + around.length * 10 + strange * 40 + (isAside ? 40 : 0);
    if (best === null || score < best.score) best = { url: value, score };
  }
  return best?.url ?? issueIn(fields);
}

/** Jira says where an issue is in its API, and not its page. */
function issueIn(fields: readonly ScalarField[]): string | null {
  const ofIssue = (name: string) =>
    fields.find((field) => field.name === name && field.parents.join('.') === 'issue')?.value;
  const [self, key] = [ofIssue('self'), ofIssue('key')];
  if (typeof self !== 'string' || typeof key !== 'string' || !/^[A-Z][A-Z0-9_]{0,30}-\d{1,9}$/.test(key))
    return null;
  const site = /^https?:\/\/[^\s@]{1,500}?(?=\/rest\/api\/)/i.exec(self)?.[0];
  return site === undefined ? null : `${site}/browse/${key}`;
}
