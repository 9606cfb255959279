// GitHub's alerts (dependencies, code, secrets): an alert is one task until it is fixed or dismissed.
import type { Priority } from '#core/contract/index.ts';
import { field, raw } from '../read.ts';
import { ignored, key as keyed, over, says, severityPriority } from '../result.ts';
import { joined } from '#core/text/parts.ts';
import { around, excerpt, lines, plain, spoken } from '../text.ts';
import { action, branchOf, repo, repoKey, title, urlOf, type EventReader } from './fields.ts';

const OVER = new Set(
  'fixed dismissed auto_dismissed resolved resolve dismiss closed_by_user withdrawn deleted'.split(' '),
);
const OPEN = new Set(
  'created create reopened reopened_by_user auto_reopened reintroduced appeared_in_branch'.split(' '),
);

/** `high` and `critical` are high, `moderate` is normal, `low` and `note` are low. */
function danger(severity: string): Priority {
  return severity === 'note' ? 'low' : severityPriority(severity);
}

const dependabot: EventReader = (body, event) => {
  const alert = field(body, 'alert');
  const key = repoKey(body, 'dependabot', raw(alert, 'number'));
  if (OVER.has(action(body))) return over(event, key);
  if (!OPEN.has(action(body)))
    return ignored(event, `Alert #${raw(alert, 'number')} was ${spoken(action(body)) || 'changed'}.`);
  const severity = raw(alert, 'security_vulnerability.severity') || raw(alert, 'security_advisory.severity');
  const name = title(alert, 'dependency.package.name', 'security_vulnerability.package.name');
  const fixed = title(alert, 'security_vulnerability.first_patched_version.identifier');
  return says(event, {
    content: lines(
      `${repo(body)}: ${title(alert, 'security_advisory.summary') || `vulnerability in ${name || 'a dependency'}`} (${severity || 'unknown'} severity)`,
      around('Fixed in ', fixed === '' ? '' : joined(' ', [name, fixed])),
    ),
    priority: danger(severity),
    tags: ['github', 'security', 'dependabot'],
    url: urlOf(body, 'alert.html_url'),
    dedupeKey: key,
    metadata: {
      repository: repo(body),
      package: name,
      file: title(alert, 'dependency.manifest_path'),
      advisory: raw(alert, 'security_advisory.cve_id') || raw(alert, 'security_advisory.ghsa_id'),
      body: plain(raw(alert, 'security_advisory.description'), 2000),
    },
  });
};

const codeScanning: EventReader = (body, event) => {
  const alert = field(body, 'alert');
  const key = repoKey(body, 'code-scanning', raw(alert, 'number'));
  if (OVER.has(action(body))) return over(event, key);
  if (!OPEN.has(action(body)))
    return ignored(event, `Alert #${raw(alert, 'number')} was ${spoken(action(body)) || 'changed'}.`);
  const severity = raw(alert, 'rule.security_severity_level') || raw(alert, 'rule.severity');
  const at = field(alert, 'most_recent_instance') ?? field(alert, 'instances.0');
  const file = title(at, 'location.path');
  return says(event, {
    content: `${repo(body)}: ${title(alert, 'tool.name') || 'code scanning'} found “${title(alert, 'rule.description', 'rule.name', 'rule.id')}”${around(' in ', file)}${file === '' ? '' : around(':', raw(at, 'location.start_line'))}`,
    priority: danger(severity),
    tags: ['github', 'security', 'code scanning'],
    url: urlOf(body, 'alert.html_url'),
    dedupeKey: key,
    metadata: {
      repository: repo(body),
      rule: title(alert, 'rule.id'),
      branch: branchOf(raw(at, 'ref') || raw(body, 'ref')),
      body: plain(raw(alert, 'rule.full_description'), 2000),
    },
  });
};

const secretScanning: EventReader = (body, event) => {
  const alert = field(body, 'alert');
  const number = raw(alert, 'number');
  const key = repoKey(body, 'secret', number);
  if (OVER.has(action(body))) return over(event, key);
  const isPublic = action(body) === 'publicly_leaked';
  if (!isPublic && !OPEN.has(action(body)) && !event.startsWith('secret_scanning_alert_location.'))
    return ignored(event, `Secret #${number} was ${spoken(action(body)) || 'changed'}.`);
  const what = title(alert, 'secret_type_display_name') || spoken(title(alert, 'secret_type')) || 'secret';
  const at = around(':', raw(body, 'location.details.start_line'));
  const where = around(' in ', title(body, 'location.details.path'), at);
  return says(event, {
    content: `${repo(body)}: a secret ${isPublic ? 'leaked to the public' : 'was found'} (${what})${where}`,
    priority: 'high',
    tags: ['github', 'security', 'secret'],
    url: urlOf(body, 'alert.html_url'),
    dedupeKey: key,
    metadata: { repository: repo(body), number, kind: title(alert, 'secret_type') },
  });
};

/** The old form of Dependabot's alerts. */
const vulnerability: EventReader = (body, event) => {
  const alert = field(body, 'alert');
  const key = repoKey(body, 'vulnerability', raw(alert, 'id'));
  if (OVER.has(action(body))) return over(event, key);
  const fixed = title(alert, 'fixed_in');
  return says(event, {
    content: lines(
      `${repo(body)}: ${title(alert, 'affected_package_name') || 'a dependency'} has a vulnerability of ${raw(alert, 'severity') || 'unknown'} severity${around(' (', title(alert, 'external_identifier', 'ghsa_id'), ')')}`,
      around('Fixed in ', fixed),
    ),
    priority: danger(raw(alert, 'severity')),
    tags: ['github', 'security', 'dependabot'],
    url: urlOf(body),
    dedupeKey: key,
    metadata: {
      repository: repo(body),
      affected: title(alert, 'affected_range'),
      more: raw(alert, 'external_reference'),
    },
  });
};

const advisory: EventReader = (body, event) => {
  const given = field(body, 'security_advisory');
  const id = title(given, 'ghsa_id', 'cve_id');
  const key = keyed('github', 'advisory', id);
  if (OVER.has(action(body))) return over(event, key);
  return says(event, {
    content: `Security advisory ${id} ${action(body) || 'published'}: ${title(given, 'summary')}`,
    priority: danger(raw(given, 'severity')),
    tags: ['github', 'security', 'advisory'],
    url: urlOf(body, 'security_advisory.html_url', 'security_advisory.references.0.url'),
    dedupeKey: key,
    metadata: {
      package: title(given, 'vulnerabilities.0.package.name'),
      body: excerpt(raw(given, 'description'), 2000),
    },
  });
};

export const security: Readonly<Record<string, EventReader>> = {
  dependabot_alert: dependabot,
  code_scanning_alert: codeScanning,
  secret_scanning_alert: secretScanning,
  secret_scanning_alert_location: secretScanning,
  repository_vulnerability_alert: vulnerability,
  security_advisory: advisory,
};
