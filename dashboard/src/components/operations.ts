/** The names and colors of the three operations in the dashboard. */

/** One operation: its title, method and path, and its color in charts. */
interface OperationInfo {
  id: string;
  title: string;
  short: string;
  method: 'GET' | 'POST';
  path: string;
  /** The page that tries it. */
  page: '/try/email' | '/try/metadata' | '/try/pdf';
  color: string;
}

/** All operations, in the order in which they are shown. */
export const OPERATIONS = [
  {
    id: 'validateEmail',
    title: 'Validate an email address',
    short: 'Email',
    method: 'GET',
    path: '/v1/email/validate',
    page: '/try/email',
    color: 'var(--ua-chart-email)',
  },
  {
    id: 'getMetadata',
    title: 'Get a page’s metadata',
    short: 'Metadata',
    method: 'GET',
    path: '/v1/meta',
    page: '/try/metadata',
    color: 'var(--ua-chart-meta)',
  },
  {
    id: 'generatePdf',
    title: 'Turn HTML into a PDF',
    short: 'PDF',
    method: 'POST',
    path: '/v1/pdf/generate',
    page: '/try/pdf',
    color: 'var(--ua-chart-pdf)',
  },
] as const satisfies readonly OperationInfo[];

/** The operationId of an operation. */
export type Operation = (typeof OPERATIONS)[number]['id'];

/** Counts requests with a valid key whose path or method belongs to no operation. */
export const NO_OPERATION = {
  id: 'none',
  title: 'No operation: an unknown path or method',
  short: 'None',
  color: 'var(--ua-ink-3)',
} as const;

/** Returns the name and color of a logged request's operation. */
export function getLoggedOperation(id: string): { short: string; color: string } {
  return OPERATIONS.find((operation) => operation.id === id) ?? NO_OPERATION;
}

/** Returns the operation with this id, or the first one if there is none. */
export function getOperation(id: string | undefined): (typeof OPERATIONS)[number] {
  return OPERATIONS.find((operation) => operation.id === id) ?? OPERATIONS[0];
}
