/** What a page shows when it has nothing else to show: loading, failed, not found, nothing there yet. */
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

/** A whole page that is on its way. */
export function PageLoading() {
  return (
    <Center mih="60vh" role="status">
      <Loader aria-hidden="true" />
      <VisuallyHidden>Loading</VisuallyHidden>
    </Center>
  );
}

/** Grey bars in the place of `rows` rows that are on their way. */
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

/** The sentence to show for whatever was thrown. */
export function sentenceFor(error: unknown): string {
  if (error instanceof RequestError) return error.message;
  return 'This part of the dashboard could not be loaded or has failed: the server may be away, or it was updated. Try again.';
}

/** Why something could not be read, with a way to try again. */
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
        <Text size="sm">{sentenceFor(error)}</Text>
        {requestId !== undefined && (
          <Text size="xs" ff="monospace">
            Request id {requestId}
          </Text>
        )}
        <Button size="xs" variant="default" leftSection={<Icon name="refresh" size={14} />} onClick={retry}>
          Try again
        </Button>
      </Stack>
    </Alert>
  );
}

/** Why a form was refused; nothing when it was not. */
export function FormError({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <Alert color="red" icon={<Icon name="alertTriangle" />} role="alert" py="xs">
      <Text size="sm">{typeof error === 'string' ? error : sentenceFor(error)}</Text>
    </Alert>
  );
}

/** A place with nothing in it yet, and what to do about that. */
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

/** That there is no such page, to stand inside of another one's landmarks. */
export function NotFoundNote() {
  useTabTitle('No such page');
  return (
    <Center mih="60vh">
      <Stack align="center" gap="sm" p="md">
        <Title order={1} size="h2">
          There is no such page
        </Title>
        <Text c="dimmed" ta="center">
          The address may be misspelt, or the page has moved.
        </Text>
        <Button renderRoot={(props) => <Link to="/" {...props} />}>Go to the overview</Button>
      </Stack>
    </Center>
  );
}

/** A path that is no page. */
export function PageNotFound() {
  return (
    <BarePage>
      <NotFoundNote />
    </BarePage>
  );
}

/** A page that broke. */
export function PageCrash({ error }: { error: unknown }) {
  return (
    <Box p="md" maw={640}>
      <LoadError error={error} retry={() => location.reload()} />
    </Box>
  );
}
