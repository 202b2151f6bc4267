/** The fields that restrict a key: which operations, from which addresses. */
import { Checkbox, Group, TagsInput } from '@mantine/core';
import type { Operation } from '../../api/types.ts';
import { OPERATIONS } from '../../components/operations.ts';

/** All operations, or some; any address, or some networks. */
export interface Restrictions {
  operations: Operation[];
  clientCidrs: string[];
}

/** No restriction at all. */
export const UNRESTRICTED: Restrictions = { operations: OPERATIONS.map(({ id }) => id), clientCidrs: [] };

/** The restrictions as the service takes them: null for none. */
export function restrictionMembers({ operations, clientCidrs }: Restrictions): {
  operations: Operation[] | null;
  client_cidrs: string[] | null;
} {
  return {
    operations: operations.length === OPERATIONS.length ? null : operations,
    client_cidrs: clientCidrs.length === 0 ? null : clientCidrs,
  };
}

/** The two fields. */
export function RestrictionFields({
  value,
  onChange,
  errors,
}: {
  value: Restrictions;
  onChange: (value: Restrictions) => void;
  errors: { operations?: string | undefined; clientCidrs?: string | undefined };
}) {
  return (
    <>
      <Checkbox.Group
        label="Operations"
        description="What the key may call."
        value={value.operations}
        onChange={(operations) => onChange({ ...value, operations })}
        error={
          errors.operations ?? (value.operations.length === 0 ? 'Choose at least one operation.' : undefined)
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
        description="Addresses or CIDR ranges that may use the key; empty means any. Press Enter after each."
        placeholder={value.clientCidrs.length === 0 ? '203.0.113.0/24' : ''}
        value={value.clientCidrs}
        onChange={(clientCidrs) => onChange({ ...value, clientCidrs })}
        splitChars={[',', ' ', ';']}
        acceptValueOnBlur
        error={errors.clientCidrs}
      />
    </>
  );
}
