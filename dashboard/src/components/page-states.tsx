/** The states of a page without content: loading, failed, not found, empty. */
import {
  Alert,
  Box,
  Button,
  Center,
  Loader,
  Skeleton,
  Stack,
  Text,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { RequestError } from '../api/request.ts';
import { BarePage } from './bare-page.tsx';
import { Icon, type IconName } from './icon.tsx';
import { useTabTitle } from './page-header.tsx';

/** A page that is loading. */
export function PageLoading() {
  return (
    <Center mih="60vh" role="status">
      <Loader aria-hidden="true" />
      <VisuallyHidden>Loading</VisuallyHidden>
    </Center>
  );
}

/** Placeholders for `rows` rows that are loading. */
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
  return 'This part of the dashboard failed or could not be loaded. The server may be unavailable or was updated. Try again.';
}

/** A loading error with a button that tries again. */
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

/** The error of a form; nothing if there is none. */
export function FormError({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <Alert color="red" icon={<Icon name="alertTriangle" />} role="alert" py="xs">
      <Text size="sm">{typeof error === 'string' ? error : getErrorMessage(error)}</Text>
    </Alert>
  );
}

/** An empty state: what is missing and what to do. */
export function Empty({
  icon,
  title,
  children,
  action,
}: {
  icon: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <Center py={48} px="md">
      <Stack align="center" gap="xs" maw={420}>
        <Box c="dimmed">
          <Icon name={icon} size={36} />
        </Box>
        <Text fw={600} ta="center">
          {title}
        </Text>
        <Text size="sm" c="dimmed" ta="center">
          {children}
        </Text>
        {action !== undefined && <Box mt="xs">{action}</Box>}
      </Stack>
    </Center>
  );
}

/** The message for an unknown path, inside the landmarks of another page. */
export function NotFound() {
  useTabTitle('Page not found');
  return (
    <Center mih="60vh">
      <Stack align="center" gap="sm" p="md">
        <Title order={1} size="h2">
          Page not found
        </Title>
        <Text c="dimmed" ta="center">
          The address may be misspelled, or the page has moved.
        </Text>
        <Button renderRoot={(props) => <Link to="/" {...props} />}>Go to the overview</Button>
      </Stack>
    </Center>
  );
}

/** The page of an unknown path. */
export function PageNotFound() {
  return (
    <BarePage>
      <NotFound />
    </BarePage>
  );
}

/** A page that failed to render. */
export function PageCrash({ error }: { error: unknown }) {
  return (
    <Box p="md" maw={640}>
      <LoadError error={error} retry={() => location.reload()} />
    </Box>
  );
}
