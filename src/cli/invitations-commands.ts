import {
  createInvite,
  formatInvitationId,
  formatInvitationPath,
  getInvitationState,
  OPERATOR,
  revokeInvitation,
} from '#accounts/sign-in';
import { ApiError } from '#errors';
import { toAccess, type CliContext, type Command } from './command.ts';
import { formatTable, formatTime } from './format-table.ts';

/** The most invitations that are listed. */
const MAX_LISTED = 10_000;

export const listInvitationsCommand: Command = {
  name: 'invitations list',
  positionals: [],
  options: {},
  usage: 'invitations list',
  help: 'Lists invitations to sign up, newest first: for whom, by whom, until when, and whether they were used. Used and expired ones are kept for 90 days.',
  async run(context) {
    const listed = await loadInvitations(context);
    const rows = listed.map((one) => [
      one.id,
      one.email ?? 'anyone',
      one.state,
      one.created_by ?? '',
      one.created_at ?? '',
      one.expires_at,
    ]);
    return {
      text: formatTable(['ID', 'FOR', 'STATE', 'BY', 'CREATED', 'EXPIRES'], rows),
      json: listed,
    };
  },
};

async function loadInvitations({ access, accounts, now }: CliContext) {
  const emails = new Map<string | null, string>([[OPERATOR, OPERATOR]]);
  const listed = [];
  for (const link of await access.listInvitations(MAX_LISTED)) {
    const { createdBy } = link;
    if (createdBy !== null && !emails.has(createdBy))
      emails.set(createdBy, (await accounts.findAccount(createdBy))?.email ?? createdBy);
    listed.push({
      id: formatInvitationId(link),
      email: link.email,
      state: getInvitationState(link, now()),
      created_by: emails.get(createdBy) ?? null,
      created_at: formatTime(link.createdAtMs) || null,
      expires_at: formatTime(link.expiresAtMs),
      used_at: formatTime(link.usedAtMs) || null,
    });
  }
  return listed;
}

export const createInvitationCommand: Command = {
  name: 'invitations create',
  positionals: [],
  options: { email: { type: 'string' } },
  usage: 'invitations create [--email <email>]',
  help: 'Prints a link to sign up, for one email address or any. It works once, within 7 days, also if SIGNUPS is invite.',
  async run(context, { values }) {
    const email = (values['email'] as string | undefined) ?? null;
    const { token, expiresAtMs } = await createInvite(toAccess(context), email, OPERATOR);
    const url = context.origin + formatInvitationPath(token, email);
    return { text: url, json: { url, email, expires_at: formatTime(expiresAtMs) } };
  },
};

export const revokeInvitationCommand: Command = {
  name: 'invitations revoke',
  positionals: ['id'],
  options: {},
  usage: 'invitations revoke <id>',
  help: 'Revokes an invitation that was not used. invitations list shows the ids.',
  async run(context, { positionals: [id = ''] }) {
    if (!(await revokeInvitation(toAccess(context), id)))
      throw new ApiError('not_found', `There is no unused invitation ${id}: invitations list shows the ids.`);
    return { text: `Revoked the invitation ${id}.`, json: { id, state: 'revoked' } };
  },
};
