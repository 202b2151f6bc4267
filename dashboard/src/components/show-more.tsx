/** The button under a list that is loaded page by page. */
import { Button, Center } from '@mantine/core';

/** Shows a button that loads the next page, if there is one. */
export function ShowMore({
  query,
  label,
}: {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  label: string;
}) {
  if (!query.hasNextPage) return null;
  return (
    <Center mt="md">
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {label}
      </Button>
    </Center>
  );
}
