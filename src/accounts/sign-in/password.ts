/** The rules for the email address and the password of an account. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { ApiError } from '#errors';
import { Semaphore } from '#concurrency';
import { parseAccountEmail } from '../account.ts';

const MIN_LENGTH = 10;
const MAX_BYTES = 128;

/**
 * The first parts and roots of the most common passwords of ten characters and more in published leaks. What
 * remains of a password without them must have some variety.
 */
const COMMON =
  /password|passw0rd|p@ssw0rd|qwertyuiop|qwerty|azerty|asdfghjkl|zxcvbnm|iloveyou|letmein|welcome|monkey|dragon|football|baseball|superman|batman|sunshine|princess|master|shadow|michael|jennifer|computer|internet|whatever|trustno1|starwars|administrator|admin|changeme|secret|0123456789|1234567890|123456789|12345678|1234567|123456|12345|1q2w3e4r5t|1q2w3e4r|1qaz2wsx|q1w2e3r4|abcdefghij|abcd1234|abc123|aa123456/g;
/** The least number of different characters in that remainder. */
const MIN_VARIETY = 5;

/** Parses an account's email address. Throws `invalid_parameter` if it is malformed. */
export function parseEmail(text: string): string {
  const email = parseAccountEmail(text);
  if (email === null)
    throw new ApiError('invalid_parameter', 'This is not an email address: write it as ann@example.com.', {
      param: 'email',
    });
  return email;
}

/**
 * Throws `invalid_parameter` with the reason if a password is weak: shorter than 10 characters, over 128
 * bytes, a common password or a variation of one, few different characters, or the email address itself. Any
 * characters are allowed (NIST SP 800-63B, ASVS 6.2).
 */
export function assertStrongPassword(password: string, email: string, param: string): void {
  const reason = findWeakness(password, email);
  if (reason !== null) throw new ApiError('invalid_parameter', reason, { param });
}

function findWeakness(password: string, email: string): string | null {
  if (password.normalize('NFC').length < MIN_LENGTH)
    return `The password must have at least ${MIN_LENGTH} characters: a sentence of a few words is easy to remember.`;
  if (Buffer.byteLength(password) > MAX_BYTES) return `The password may have at most ${MAX_BYTES} bytes.`;
  const plain = password.toLowerCase();
  const [local = ''] = email.split('@');
  if (plain === email || (local.length >= 4 && plain.replaceAll(local, '').length < MIN_VARIETY))
    return 'The password must not be made of the email address: choose another.';
  if (new Set(plain.replaceAll(COMMON, '')).size < MIN_VARIETY)
    return 'The password is one of the first that anyone would guess: choose another, like a few words that do not belong together.';
  return null;
}

/**
 * argon2id (RFC 9106) in PHC string format: 19 MiB, 2 passes, 1 lane, the minimum that OWASP recommends;
 * about 30 ms of one core.
 */
const derive = promisify(argon2);
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const TAG_BYTES = 32;
const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Returns the hash of the password (NFC) with a random salt. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await derive('argon2id', {
    message: password.normalize('NFC'),
    nonce: salt,
    memory: MEMORY_KIB,
    passes: PASSES,
    parallelism: LANES,
    tagLength: TAG_BYTES,
  });
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${toBase64(salt)}$${toBase64(tag)}`;
}

/**
 * Returns whether the password matches the hash, with the hash's own parameters. False for any other text.
 */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [, memory, passes, lanes, salt = '', tag = ''] = PHC.exec(hash) ?? [];
  if (memory === undefined) return false;
  const expected = Buffer.from(tag, 'base64');
  const actual = await derive('argon2id', {
    message: password.normalize('NFC'),
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(lanes),
    tagLength: expected.length,
  });
  return timingSafeEqual(actual, expected);
}

function toBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

export interface WorkGateOptions {
  /** Jobs that run at a time; the last slot is reserved for known callers. */
  slots: number;
  /** Jobs that wait, in total and per caller. */
  maxQueue: number;
  maxQueuePerCaller: number;
}

/** The caller of a job: its address, and whether it has signed in to the account from there before. */
export interface WorkCaller {
  address: string;
  isKnown: boolean;
}

/**
 * Creates a gate that runs a bounded number of jobs at a time and refuses jobs past its queue with
 * `overloaded`. One caller cannot fill the queue. A known caller waits at most for the jobs that are running
 * and for other known callers, however many unknown callers wait.
 */
export function createWorkGate({ slots, maxQueue, maxQueuePerCaller }: WorkGateOptions) {
  const semaphore = new Semaphore(slots, maxQueue, {
    reserved: slots === 1 ? 0 : 1,
    maxQueuedPerKey: maxQueuePerCaller,
    createError: () => new ApiError('overloaded', undefined, { retryAfterSeconds: 2 }),
  });

  return async function run<T>({ address, isKnown }: WorkCaller, work: () => Promise<T>): Promise<T> {
    const release = await semaphore.acquire({ key: address, isPreferred: isKnown });
    try {
      return await work();
    } finally {
      release();
    }
  };
}

export type WorkGate = ReturnType<typeof createWorkGate>;
