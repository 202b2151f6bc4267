/** The three operations as people read them. */
import type { Operation } from '../api/types.ts';

/** One operation: its title, method and path, and the colour that stands for it in charts. */
export interface OperationInfo {
  id: Operation;
  title: string;
  short: string;
  method: 'GET' | 'POST';
  path: string;
  color: string;
}

/** In the order in which they are shown everywhere. */
export const OPERATIONS: readonly OperationInfo[] = [
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
    title: 'Read a page’s metadata',
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
];

/** What a request with a good key counts as when its path or method belongs to no operation. */
export const NO_OPERATION = {
  id: 'none',
  title: 'No operation: an unknown path or method',
  short: 'None',
  color: 'gray.5',
} as const;

/** How a logged request's operation is shown. */
export function loggedOperation(id: string): { short: string; color: string } {
  return OPERATIONS.find((operation) => operation.id === id) ?? NO_OPERATION;
}

/** The operation of that name; the first one for a name that is none. */
export function operationInfo(id: string | undefined): OperationInfo {
  return OPERATIONS.find((operation) => operation.id === id) ?? (OPERATIONS[0] as OperationInfo);
}
