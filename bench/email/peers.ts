import { createRequire } from 'node:module';

/** A library to compare with; it has only the functions that it supports. Only `validate` queries DNS. */
export interface Peer {
  name: string;
  /** Returns true if the address is well-formed. */
  isWellFormed?: (email: string) => boolean | Promise<boolean>;
  /** Returns the corrected address, or null. */
  suggest?: (email: string) => string | null | Promise<string | null>;
  /** Validates as the library's documentation shows, with a DNS lookup. */
  validate?: (email: string) => Promise<unknown>;
}

const FOLDER = new URL('../', import.meta.url);
const require = createRequire(new URL('package.json', FOLDER));

/* The peers have no types, or incorrect ones; the parts that are used are declared here. */
interface DeepResult {
  valid: boolean;
  validators: { typo?: { valid: boolean; reason?: string } };
}

/** Loads the peers, configured as their documentation shows. */
export function loadPeers(): Peer[] {
  const deep = require('deep-email-validator') as { validate: (options: object) => Promise<DeepResult> };
  const verify = require('node-email-verifier') as (email: string, options: object) => Promise<boolean>;
  const validator = require('validator') as { isEmail: (email: string, options?: object) => boolean };
  const emailValidator = require('email-validator') as { validate: (email: string) => boolean };
  const isemail = require('isemail') as { validate: (email: string, options: object) => number };
  const address = require('@hapi/address') as { isEmailValid: (email: string, options?: object) => boolean };
  const mailchecker = require('mailchecker') as { isValid: (email: string) => boolean };
  const mailcheck = require('mailcheck') as { run: (options: object) => { full: string } | undefined };
  const zootools = require('@zootools/email-spell-checker') as typeof mailcheck;
  const fixer = require('email-typo-fixer') as {
    emailTypoFixer: (email: string) => { suggested?: string };
  };
  const off = { validateMx: false, validateTypo: false, validateDisposable: false, validateSMTP: false };
  return [
    {
      name: 'isemail',
      isWellFormed: (email) => isemail.validate(email, { errorLevel: 13, minDomainAtoms: 2 }) === 0,
    },
    { name: '@hapi/address', isWellFormed: (email) => address.isEmailValid(email, { tlds: false }) },
    {
      name: 'validator',
      isWellFormed: (email) => validator.isEmail(email, { allow_ip_domain: true }),
      validate: async (email) => validator.isEmail(email),
    },
    { name: 'email-validator', isWellFormed: (email) => emailValidator.validate(email) },
    { name: 'mailchecker', isWellFormed: (email) => mailchecker.isValid(email) },
    {
      name: 'deep-email-validator',
      isWellFormed: async (email) => (await deep.validate({ email, ...off, validateRegex: true })).valid,
      suggest: async (email) => {
        const { validators } = await deep.validate({
          email,
          ...off,
          validateRegex: false,
          validateTypo: true,
        });
        return /suggested email: (\S+)/.exec(validators.typo?.reason ?? '')?.[1] ?? null;
      },
      validate: (email) => deep.validate({ email, sender: 'ann@example.org' }),
    },
    {
      name: 'the same, without SMTP',
      validate: (email) => deep.validate({ email, sender: 'ann@example.org', validateSMTP: false }),
    },
    {
      name: 'node-email-verifier',
      isWellFormed: (email) => verify(email, { checkMx: false }),
      validate: (email) => verify(email, { checkMx: true, checkDisposable: true }),
    },
    { name: 'mailcheck', suggest: (email) => mailcheck.run({ email })?.full ?? null },
    { name: '@zootools/email-spell-checker', suggest: (email) => zootools.run({ email })?.full ?? null },
    { name: 'email-typo-fixer', suggest: (email) => fixer.emailTypoFixer(email).suggested ?? null },
  ];
}
