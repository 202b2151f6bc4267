/** What the account may use at the same time. */
import { SimpleGrid } from '@mantine/core';
import type { PlanShares } from '../../api/types.ts';
import { Section } from '../../components/section.tsx';
import classes from './shares-section.module.css';

const SHARES: [name: string, format: (shares: PlanShares) => string][] = [
  ['Documents rendered at once', ({ browser_slots }) => browser_slots.toLocaleString('en')],
  ['Other requests at once', ({ other_requests }) => other_requests.toLocaleString('en')],
  ['Pages fetched at once', ({ page_connections }) => page_connections.toLocaleString('en')],
  ['Request bodies in flight', ({ body_megabytes }) => `${body_megabytes.toLocaleString('en')} MB`],
];

export function SharesSection({ shares }: { shares: PlanShares }) {
  return (
    <Section
      title="Your shares"
      description="The most that all your keys together may use at the same time, in each process of the service."
    >
      <SimpleGrid
        component="dl"
        className={classes.list}
        cols={{ base: 1, xs: 2, md: 4 }}
        spacing={{ base: 'sm', xs: 'lg' }}
      >
        {SHARES.map(([name, format]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="tabular">{format(shares)}</dd>
          </div>
        ))}
      </SimpleGrid>
    </Section>
  );
}
