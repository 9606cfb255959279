// What operators read of why a part does not answer.
import { MongoBulkWriteError, MongoServerError } from 'mongodb';
import { expect, it } from 'vitest';
import { QinboxError } from '#core/errors.ts';
import { causeOf } from './cause.ts';

const cleared = new MongoServerError({
  message:
    'Connection pool for db.internal:27017 was cleared because another operation failed with: "Authentication failed."',
});

it.each<[string, unknown, string | null]>([
  [
    'a code of the operating system',
    Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
    'the connection was refused (ECONNREFUSED)',
  ],
  ['a full disk', Object.assign(new Error('x'), { errcode: 13 }), 'the disk is full (SQLite error 13)'],
  [
    'a full disk, where the index beside the log cannot grow',
    Object.assign(new Error('x'), { errcode: 4874 }),
    'the disk is full (SQLite error 4874)',
  ],
  [
    'an extended code of SQLite',
    Object.assign(new Error('x'), { errcode: 778 }),
    'the disk does not read or write (SQLite error 778)',
  ],
  [
    'a code of SQLite that is no fault of the disk',
    Object.assign(new Error('x'), { errcode: 17 }),
    'SQLite error 17',
  ],
  ["an answer of Redis's", new Error('WRONGPASS invalid username-password pair'), 'Redis says WRONGPASS'],
  [
    "MongoDB's refusal of a password",
    new MongoServerError({ code: 18, codeName: 'AuthenticationFailed' }),
    'AuthenticationFailed',
  ],
  [
    'a write that ended because another call was refused',
    new MongoBulkWriteError(cleared, {} as never),
    'AuthenticationFailed',
  ],
  ['what callers see already', new QinboxError('SERVICE_UNAVAILABLE'), null],
])('%s is named, without an address', (_, error, cause) => {
  expect(causeOf(error)).toBe(cause);
});
