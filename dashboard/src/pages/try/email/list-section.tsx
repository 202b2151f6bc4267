/** Checks a list of addresses: from a CSV file or pasted, in batches, with a CSV of the results. */
import { useState } from 'react';
import type { Key } from '../../../api/types.ts';
import { FormError } from '../../../components/page-states.tsx';
import { Section } from '../../../components/section.tsx';
import { formatNumber } from '../../../components/format.ts';
import classes from './list.module.css';
import { type AddressList, listAddresses, MAX_ROWS, parseList, readListFile } from './address-list.ts';
import { LatestResults } from './list-latest.tsx';
import { ListProgress } from './list-progress.tsx';
import { ListSetup } from './list-setup.tsx';
import { ListSource } from './list-source.tsx';
import { useListCheck } from './use-list-check.ts';

/** Shows where the list comes from, then the check. */
export function ListSection({ apiKey }: { apiKey: Key }) {
  const [list, setList] = useState<AddressList | null>(null);
  const [column, setColumn] = useState(0);
  const [error, setError] = useState<string | null>(null);
  const { check, create, remove } = useListCheck(apiKey.id);
  const use = (read: () => AddressList | Promise<AddressList>) => {
    const load = async () => {
      try {
        const next = await read();
        remove();
        setList(next);
        setColumn(next.bestColumn);
        setError(null);
      } catch (cause) {
        setError(cause instanceof Error ? cause.message : 'The file could not be read.');
      }
    };
    void load();
  };
  return (
    <div className={`bleed ${classes.section ?? ''}`}>
      <Section
        title="Check a list"
        description={`Up to ${formatNumber(MAX_ROWS)} rows of CSV. The file stays in your browser, which sends up to 1,000 addresses at a time, as fast as the key’s limit allows. Each address counts as one request.`}
      >
        <div className={classes.columns}>
          <div className={classes.left}>
            {list && !check && (
              <ListSetup
                list={list}
                column={column}
                onColumn={setColumn}
                onStart={() => create(listAddresses(list, column))}
                onRemove={() => setList(null)}
              />
            )}
            {list && check && <ListProgress list={list} column={column} check={check} />}
            <FormError error={error} />
            <ListSource
              isAnother={list !== null}
              onFile={(file) => use(() => readListFile(file))}
              onText={(text) => use(() => parseList('Pasted list', text))}
            />
          </div>
          {check && <LatestResults check={check} />}
        </div>
      </Section>
    </div>
  );
}
