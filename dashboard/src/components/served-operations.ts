/** The operations that the server of this page serves: its setting OPERATIONS. */
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/queries.ts';
import { OPERATIONS } from './operations.ts';

type Row = (typeof OPERATIONS)[number];

/** Returns the operations that this server serves, and the others. Until that is known, all are served. */
export function useServedOperations(): { served: Row[]; absent: Row[] } {
  const session = useQuery(sessionQuery).data;
  const isServed = ({ id }: Row): boolean => session === undefined || session.operations.includes(id);
  return {
    served: OPERATIONS.filter(isServed),
    absent: OPERATIONS.filter((operation) => !isServed(operation)),
  };
}
