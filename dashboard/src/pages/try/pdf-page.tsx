/** The page for turning HTML into a PDF. */
import { TryOperation } from './try-operation.tsx';

/** Shows the form and the response. */
export function TryPdfPage() {
  return <TryOperation operation="generatePdf" />;
}
