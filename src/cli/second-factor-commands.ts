import { formatSecondFactorResetMail } from '#accounts/sign-in';
import { ApiError } from '#errors';
import { findAccount } from './accounts-commands.ts';
import { recordOperatorAction, type Command } from './command.ts';

export const resetSecondFactorCommand: Command = {
  name: 'accounts reset-second-factor',
  positionals: ['email'],
  options: {},
  usage: 'accounts reset-second-factor <email>',
  help: 'Turns off the second factor of an account whose owner has lost the app and the recovery codes, and signs out all devices. The owner gets an email and signs in with the password. Make sure first that the request comes from the owner.',
  async run(context, { positionals: [email = ''] }) {
    const { accounts, access, sendMail } = context;
    const account = await findAccount(accounts, email);
    if (!(await access.deleteSecondFactor(account.id, { endsSessions: true })))
      throw new ApiError('not_found', `The account ${account.email} has no second factor.`);
    await recordOperatorAction(context, account.id, 'second_factor.reset');
    await sendMail?.(formatSecondFactorResetMail(account));
    return {
      text: `The second factor of ${account.email} is off, and all devices are signed out.`,
      json: { id: account.id, email: account.email, second_factor: false },
      warning: sendMail ? undefined : 'no email is sent, because SMTP_URL is not set: tell the owner.',
    };
  },
};
