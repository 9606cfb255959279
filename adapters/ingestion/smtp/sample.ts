// A mail of a monitoring device, for "send a test" and for previews before the first mail.
import type { StoredRequest } from '#core/domain/intake.ts';
import { storedMail } from './stored-mail.ts';

const SAMPLE = `From: Backup <backup@nas.example.com>
To: inbox@example.com
Subject: Nightly backup failed on nas-1 #backup !high
Date: Sat, 21 Nov 2026 03:10:00 +0000
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8

The backup of /srv/photos stopped after 41 minutes: no space left on /mnt/backup (2.0 TB of 2.0 TB used).

The last good copy is of Friday, 20 November, 03:52.
https://nas.example.com/backup/jobs/7
`;

/** The sample as it is stored. It has no Message-ID, so that each test is a delivery of its own. */
export function sampleMail(): StoredRequest {
  return storedMail(Buffer.from(SAMPLE.replaceAll('\n', '\r\n')));
}
