/** The account's shares: what it may use at once. */
import { SimpleGrid } from '@mantine/core';
import type { PlanShares } from '../../api/types.ts';
import { formatNumber } from '../../components/format.ts';
import { Section } from '../../components/section.tsx';
import classes from './shares-section.module.css';

const SHARES: [name: string, format: (shares: PlanShares) => string][] = [
  ['Documents and pages rendered at once', ({ browser_slots }) => formatNumber(browser_slots)],
  ['Other requests at once', ({ other_requests }) => formatNumber(other_requests)],
  ['Pages fetched at once', ({ page_connections }) => formatNumber(page_connections)],
  ['Request bodies in flight', ({ body_megabytes }) => `${formatNumber(body_megabytes)} MB`],
];

/** Lists the shares with their units. */
export function SharesSection({ shares }: { shares: PlanShares }) {
  return (
    <Section
      title="Your shares"
      description="What all your keys together may use at once, in each process of the service. Metadata requests with render use the same places as PDFs."
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
