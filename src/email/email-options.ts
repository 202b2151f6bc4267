import type { OptionTable, OptionValues } from '#options';

/** The options of validateEmail. */
export const EMAIL_OPTIONS = {
  check_mx: {
    type: 'boolean',
    default: true,
    description: 'Whether to check MX records for the domain.',
    batchDescription: 'Whether to check MX records for the domains.',
    example: false,
    refused: { check_mx: 'maybe' },
    flag: { name: 'no-mx', summary: 'Query no DNS' },
    control: { hint: 'Check that the domain accepts mail' },
  },
  suggest: {
    type: 'boolean',
    default: true,
    description: 'Whether to suggest corrections for typos.',
    example: false,
    flag: { name: 'no-suggest', summary: 'Suggest no corrections' },
    control: { hint: 'Suggest a correction of a typo' },
  },
  timeout: {
    type: 'integer',
    property: 'timeoutMs',
    default: 5000,
    minimum: 500,
    maximum: 5000,
    description:
      'Milliseconds that each lookup of DNS may take; what has not arrived by then proves nothing (mx_status unknown).',
    example: 1000,
    isInTools: false,
    flag: { summary: 'Time limit of DNS: 500 to 5000', placeholder: 'ms' },
    control: { hint: 'Of DNS: 500 to 5,000 ms', isMore: true },
  },
  details: {
    type: 'boolean',
    default: false,
    description: 'Whether to add the member details.',
    example: true,
    control: { hint: 'Explain the result' },
  },
  policies: {
    type: 'boolean',
    default: false,
    description: 'Whether to look up SPF and DMARC of the domain; only with details.',
    batchDescription: 'Whether to look up SPF and DMARC of the domains; only with details.',
    example: true,
    needs: 'details',
    flag: { summary: 'Look up SPF and DMARC of the domain' },
    control: { hint: 'Look up SPF and DMARC' },
  },
} as const satisfies OptionTable;

/** A validation: the address, which may be any text and is trimmed, and the options. */
export type ValidateEmailRequest = { email: string } & Pick<
  OptionValues<typeof EMAIL_OPTIONS>,
  'checkMx' | 'suggest' | 'details'
> &
  Partial<OptionValues<typeof EMAIL_OPTIONS>>;
