/** The id of a request, to be quoted to whoever runs the service. */
import { Code, Group } from '@mantine/core';
import { CopyIcon } from './copy-button.tsx';

/** The id, cut where it is too long, with a button that copies all of it. */
export function RequestId({ id }: { id: string }) {
  return (
    <Group gap={2} wrap="nowrap">
      <Code style={{ maxWidth: 170, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
        {id}
      </Code>
      <CopyIcon text={id} what="the request id" />
    </Group>
  );
}
