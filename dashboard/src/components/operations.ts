/** The names and colors of the three operations in the dashboard. */

/** One operation: its title, method and path, and its color in charts. */
interface OperationInfo {
  id: string;
  title: string;
  short: string;
  method: 'GET' | 'POST';
  path: string;
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
    color: 'brand.6',
  },
  {
    id: 'getMetadata',
    title: 'Get a page’s metadata',
    short: 'Metadata',
    method: 'GET',
    path: '/v1/meta',
    color: 'teal.6',
  },
  {
    id: 'generatePdf',
    title: 'Turn HTML into a PDF',
    short: 'PDF',
    method: 'POST',
    path: '/v1/pdf/generate',
    color: 'orange.6',
  },
] as const satisfies readonly OperationInfo[];

/** The operationId of an operation. */
export type Operation = (typeof OPERATIONS)[number]['id'];

/** Counts requests with a valid key whose path or method belongs to no operation. */
export const NO_OPERATION = {
  id: 'none',
  title: 'No operation: an unknown path or method',
  short: 'None',
  color: 'gray.5',
} as const;

/** Returns the name and color of a logged request's operation. */
export function getLoggedOperation(id: string): { short: string; color: string } {
  return OPERATIONS.find((operation) => operation.id === id) ?? NO_OPERATION;
}

/** Returns the operation with this id, or the first one if there is none. */
export function getOperation(id: string | undefined): (typeof OPERATIONS)[number] {
  return OPERATIONS.find((operation) => operation.id === id) ?? OPERATIONS[0];
}
