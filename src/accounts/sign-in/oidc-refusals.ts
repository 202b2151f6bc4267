/** Why a sign-in at the identity provider did not succeed, and what to do. */
export const OIDC_REFUSALS = {
  account_disabled: 'Your account is disabled: ask the operator of this service.',
  account_unverified:
    'There is an account with your address, but that address is not confirmed here. Sign in with the password and open the link “Confirm your email address”, or set a new password with “Forgot it?”. Then try again.',
  address_unverified:
    'The provider has not confirmed your email address. Confirm it there, then try again; or sign in with your password.',
  canceled: 'The sign-in at the provider was canceled. Try again, or sign in with your password.',
  expired: 'The sign-in took too long, or was started in another browser. Try again.',
  invitation_needed:
    'You have no account here yet, and this service needs an invitation. Open the link of your invitation and choose the provider there.',
  other_identity:
    'Your account is linked to another identity at the provider. Sign in with that one or with your password, and unlink it in the settings.',
  provider_failed:
    'The provider’s response could not be verified. Try again; if it fails again, ask the operator of this service, whose log has the reason.',
  provider_unavailable:
    'The provider does not respond. Try again in a minute, or sign in with your password.',
  sign_up_closed: 'You have no account here yet, and sign-up is closed: ask the operator for an account.',
} as const;

export type OidcRefusal = keyof typeof OIDC_REFUSALS;

export const OIDC_REFUSAL_CODES = Object.keys(OIDC_REFUSALS) as OidcRefusal[];

/** A sign-in at the provider that was refused. */
export class OidcRefused extends Error {
  override name = 'OidcRefused';
  readonly refusal: OidcRefusal;

  constructor(refusal: OidcRefusal) {
    super(OIDC_REFUSALS[refusal]);
    this.refusal = refusal;
  }
}

/** The errors of better-auth's callback. All others mean that the response could not be verified. */
const REFUSALS_BY_ERROR: Readonly<Record<string, OidcRefusal>> = {
  access_denied: 'canceled',
  account_not_linked: 'account_unverified',
  login_required: 'canceled',
  signup_disabled: 'sign_up_closed',
  server_error: 'provider_unavailable',
  state_invalid: 'expired',
  state_mismatch: 'expired',
  state_not_found: 'expired',
  temporarily_unavailable: 'provider_unavailable',
  unable_to_link_account: 'other_identity',
};

/** Returns the refusal that an error of better-auth's callback means. */
export function toRefusal(error: string): OidcRefusal {
  return Object.hasOwn(REFUSALS_BY_ERROR, error)
    ? (REFUSALS_BY_ERROR[error] ?? 'provider_failed')
    : 'provider_failed';
}
