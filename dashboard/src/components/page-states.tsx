/** The states of a page without content: loading and failed. */
import { Alert, Box, Button, Center, Loader, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { RequestError } from '../api/request.ts';
import { Icon } from './icon.tsx';

/** Shows that a page is loading. */
export function PageLoading() {
  return (
    <Center mih="60vh" role="status">
      <Loader aria-hidden="true" />
      <VisuallyHidden>Loading</VisuallyHidden>
    </Center>
  );
}

/** Shows placeholders for `rows` rows that are loading. */
export function RowsLoading({ rows = 4, height = 44 }: { rows?: number; height?: number }) {
  return (
    <Stack gap="xs" role="status">
      <VisuallyHidden>Loading</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={height} radius="md" />
      ))}
    </Stack>
  );
}

/** Returns the message to show for a thrown value. */
export function getErrorMessage(error: unknown): string {
  if (error instanceof RequestError) return error.message;
  return 'This page could not be loaded. The server may be unavailable, or was just updated. Try again.';
}

/** Shows a loading error with a button that tries again. */
export function LoadError({ error, retry }: { error: unknown; retry: () => void }) {
  const requestId = error instanceof RequestError ? error.requestId : undefined;
  return (
    <Alert
      color="red"
      icon={
        <Icon
          name={error instanceof RequestError && error.status === 0 ? 'plugConnectedX' : 'alertTriangle'}
        />
      }
      title="This could not be loaded"
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{getErrorMessage(error)}</Text>
        {requestId !== undefined && (
          <Text size="xs" ff="monospace">
            Request ID {requestId}
          </Text>
        )}
        <Button size="xs" variant="default" leftSection={<Icon name="refresh" size={14} />} onClick={retry}>
          Try again
        </Button>
      </Stack>
    </Alert>
  );
}

/** Shows the error of a query, or `children` until it has loaded; nothing after that. */
export function QueryState({
  query,
  children,
}: {
  query: { data: unknown; isError: boolean; error: unknown; refetch: () => unknown };
  children?: ReactNode;
}) {
  if (query.isError) return <LoadError error={query.error} retry={() => void query.refetch()} />;
  return query.data === undefined ? children : null;
}

/** Shows the error of a form; nothing if there is none. */
export function FormError({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <Alert color="red" icon={<Icon name="alertTriangle" />} role="alert" py="xs">
      <Text size="sm">{typeof error === 'string' ? error : getErrorMessage(error)}</Text>
    </Alert>
  );
}

/** Shows the error of a page that failed to render. */
export function PageCrash({ error }: { error: unknown }) {
  return (
    <Box p="md" maw={640}>
      <LoadError error={error} retry={() => location.reload()} />
    </Box>
  );
}
