import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * Returns the violations that axe finds on the page, those of the rules with `tags` if given, with the start
 * of each element's HTML. Of what passes axe describes no element, which takes a third of its time.
 */
export async function findViolations(page: Page, tags: readonly string[] = []): Promise<string[]> {
  const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  if (tags.length > 0) builder.withTags([...tags]);
  const { violations } = await builder.analyze();
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  );
}
