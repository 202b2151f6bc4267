/** The fields that restrict a key to operations and client networks. */
import { Checkbox, Stack, TagsInput } from '@mantine/core';
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

/** Shows both fields. `error` is the request's. */
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
        label="May call"
        value={value.operations}
        onChange={(operations) => onChange({ ...value, operations })}
        error={
          findFieldError(error, 'operations') ??
          (value.operations.length === 0 ? 'Choose at least one operation.' : undefined)
        }
      >
        <Stack mt={4} gap={8}>
          {OPERATIONS.map(({ id, short, title }) => (
            <Checkbox
              key={id}
              size="xs"
              value={id}
              label={
                <>
                  {short} <span className="dim">{title}</span>
                </>
              }
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <TagsInput
        label="Only from"
        description="Addresses or CIDR ranges, each followed by a comma. Empty: from anywhere."
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
