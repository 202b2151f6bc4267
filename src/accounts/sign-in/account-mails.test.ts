import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatRepeatedSignUpMail, formatResetMail, formatVerificationMail } from './account-mails.ts';

const ORIGIN = 'https://api.example';
const verified = { email: 'ann@example.com', emailVerified: true };
const unverified = { email: 'ann@example.com', emailVerified: false };

describe('the mails of an account', () => {
  it('reset: the link, what a reset revokes if the address is not verified, and when to ignore it', () => {
    const { to, subject, text } = formatResetMail(verified, ORIGIN, 't1');
    assert.deepEqual([to, subject], ['ann@example.com', 'Set a new password']);
    const paragraphs = text.split('\n\n');
    assert.equal(paragraphs.length, 2);
    assert.match(paragraphs[0] ?? '', /within an hour:\nhttps:\/\/api\.example\/reset-password\?token=t1$/);
    assert.match(paragraphs[1] ?? '', /did not request this, ignore/);
    const warned = formatResetMail(unverified, ORIGIN, 't1').text.split('\n\n');
    assert.deepEqual([warned[0], warned[2]], paragraphs);
    assert.match(warned[1] ?? '', /signs out all devices and revokes all API keys/);
  });

  it('verification: the link, and how to take over an account of someone else', () => {
    const { to, subject, text } = formatVerificationMail(unverified, ORIGIN, 't2');
    assert.deepEqual([to, subject], ['ann@example.com', 'Confirm your email address']);
    const [confirm, refuse, ...rest] = text.split('\n\n');
    assert.match(confirm ?? '', /within a day:\nhttps:\/\/api\.example\/verify-email\?token=t2$/);
    assert.match(refuse ?? '', /do not confirm\..*\nhttps:\/\/api\.example\/forgot-password$/);
    assert.deepEqual(rest, []);
  });

  it('repeated sign-up: where to sign in, what to do about a stranger, and when to ignore it', () => {
    const { to, subject, text } = formatRepeatedSignUpMail(verified, ORIGIN);
    assert.deepEqual([to, subject], ['ann@example.com', 'You have an account already']);
    const paragraphs = text.split('\n\n');
    assert.equal(paragraphs.length, 3);
    assert.match(paragraphs[0] ?? '', /already has an account/);
    assert.match(paragraphs[1] ?? '', /here:\nhttps:\/\/api\.example\/sign-in$/);
    assert.match(paragraphs[2] ?? '', /did not try to sign up, ignore/);
    const warned = formatRepeatedSignUpMail(unverified, ORIGIN).text.split('\n\n');
    assert.deepEqual([warned[0], warned[1], warned[3]], paragraphs);
    assert.match(warned[2] ?? '', /has not been verified\. If you did not create it/);
  });
});
