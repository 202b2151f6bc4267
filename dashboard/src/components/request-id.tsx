/** The ID of a request, for questions to the operator. */
import { Code, Group } from '@mantine/core';
import { CopyIcon } from './copy-button.tsx';

/** Shows the ID, truncated, with a button that copies all of it. */
export function RequestId({ id }: { id: string }) {
  return (
    <Group gap={2} wrap="nowrap">
      <Code style={{ maxWidth: 170, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
        {id}
      </Code>
      <CopyIcon text={id} what="the request ID" />
    </Group>
  );
}
