/** The fields that restrict a key to operations and client networks. */
import { Checkbox, Group, TagsInput } from '@mantine/core';
import { findFieldError } from '../../api/request.ts';
import { OPERATIONS } from '../../components/operations.ts';

/** The values of the fields. An empty list of networks allows any address. */
interface Restrictions {
  operations: string[];
  clientCidrs: string[];
}

/** All operations, any address. */
export const UNRESTRICTED: Restrictions = { operations: OPERATIONS.map(({ id }) => id), clientCidrs: [] };

/** Converts the values to request members; null means no restriction. */
export function toRestrictionMembers({ operations, clientCidrs }: Restrictions): {
  operations: string[] | null;
  client_cidrs: string[] | null;
} {
  return {
    operations: operations.length === OPERATIONS.length ? null : operations,
    client_cidrs: clientCidrs.length === 0 ? null : clientCidrs,
  };
}

/** Shows both fields. `error` is that of the request. */
export function RestrictionFields({
  value,
  onChange,
  error,
}: {
  value: Restrictions;
  onChange: (value: Restrictions) => void;
  error: unknown;
}) {
  return (
    <>
      <Checkbox.Group
        label="Operations"
        description="The operations that the key may call."
        value={value.operations}
        onChange={(operations) => onChange({ ...value, operations })}
        error={
          findFieldError(error, 'operations') ??
          (value.operations.length === 0 ? 'Choose at least one operation.' : undefined)
        }
      >
        <Group mt="xs" gap="lg">
          {OPERATIONS.map(({ id, short }) => (
            <Checkbox key={id} value={id} label={short} />
          ))}
        </Group>
      </Checkbox.Group>
      <TagsInput
        label="Client networks"
        description="IP addresses or CIDR ranges that may use the key. Empty means any. Press Enter after each."
        placeholder={value.clientCidrs.length === 0 ? '203.0.113.0/24' : ''}
        value={value.clientCidrs}
        onChange={(clientCidrs) => onChange({ ...value, clientCidrs })}
        splitChars={[',', ' ', ';']}
        acceptValueOnBlur
        error={findFieldError(error, 'client_cidrs')}
      />
    </>
  );
}
