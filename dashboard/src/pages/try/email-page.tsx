/** The page for validating an email address. */
import { TryOperation } from './try-operation.tsx';

/** Shows the form and the response. */
export function TryEmailPage() {
  return <TryOperation operation="validateEmail" />;
}
