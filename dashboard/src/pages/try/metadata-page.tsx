/** The page for reading the metadata of a page. */
import { TryOperation } from './try-operation.tsx';

/** Shows the form and the response. */
export function TryMetadataPage() {
  return <TryOperation operation="getMetadata" />;
}
