import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTempDir } from '#test/helpers/temp.ts';
import { waitFor } from '#test/program/wait.ts';
import { findProgram } from '#test/services/service.ts';
import { readCertificate, watchCertificate, type Certificate } from './certificate.ts';

test('a key beside the certificate of another key is refused, also where one is RSA and one is not', ({
  skip,
}) => {
  skip(findProgram('openssl') === null, 'openssl is not installed');
  const folder = createTempDir();
  const make = (name: string, kind: readonly string[]) => {
    const files = { tlsKey: join(folder, `${name}.key`), tlsCert: join(folder, `${name}.crt`) };
    const out = ['-keyout', files.tlsKey, '-out', files.tlsCert];
    execFileSync('openssl', ['req', '-x509', '-newkey', ...kind, '-nodes', '-subj', '/CN=x', ...out], {
      stdio: 'ignore',
    });
    return files;
  };
  const rsa = make('rsa', ['rsa:2048']);
  const curve = make('curve', ['ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']);
  expect(readCertificate(rsa)).not.toBeNull();
  for (const files of [
    { ...rsa, tlsCert: curve.tlsCert },
    { ...curve, tlsCert: rsa.tlsCert },
  ])
    expect(() => readCertificate(files)).toThrow('SMTP_TLS_CERT must be the certificate of the key');
  expect(() => readCertificate({ ...rsa, tlsKey: rsa.tlsCert })).toThrow(
    'SMTP_TLS_KEY must be a private key',
  );
});

test('a renewed certificate is taken up; while its files do not fit together the old one stays', async ({
  skip,
}) => {
  skip(findProgram('openssl') === null, 'openssl is not installed');
  const folder = createTempDir();
  const files = { tlsKey: join(folder, 'key.pem'), tlsCert: join(folder, 'cert.pem') };
  const make = (keyFile: string): void => {
    const curve = [
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-subj',
      '/CN=in.example.com',
    ];
    execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', keyFile, '-out', files.tlsCert], {
      stdio: 'ignore',
    });
  };
  make(files.tlsKey);
  const first = readCertificate(files);
  const used: Certificate[] = [];
  const warned: string[] = [];
  const log = { info: () => {}, warn: (_fields: object, message: string) => void warned.push(message) };
  onTestFinished(watchCertificate(files, first, (certificate) => used.push(certificate), log, 5));

  make(join(folder, 'other.pem'));
  await waitFor('a warning', () => warned.length > 0);
  expect(used).toEqual([]);
  make(files.tlsKey);
  await waitFor('the new one', () => used.length > 0);
  expect(used).toEqual([{ key: readFileSync(files.tlsKey), cert: readFileSync(files.tlsCert) }]);
});
