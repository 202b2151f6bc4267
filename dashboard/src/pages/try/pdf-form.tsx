/** The form of generatePdf. */
import { Button, Group, Select, SimpleGrid, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Disclosure } from '../../components/disclosure.tsx';
import { pickChangedMembers, TryForm, type TryFormProps } from './try-form.tsx';
import { PDF_EXAMPLES, type PdfExample } from './pdf-examples.ts';

const DEFAULTS = {
  page_size: 'A4',
  page_width: '',
  page_height: '',
  orientation: 'portrait',
  margin_top: '20mm',
  margin_bottom: '20mm',
  margin_left: '15mm',
  margin_right: '15mm',
  header_html: '',
  footer_html: '',
  css: '',
  base_url: '',
  page_ranges: '',
  scale: '1',
  wait_for: '',
  wait_for_expression: '',
  now: '',
  title: '',
  lang: '',
  filename: '',
  media: 'print',
  print_background: true,
  javascript: true,
  tagged: false,
  outline: false,
  strict: false,
};
type Options = typeof DEFAULTS;

const FIRST = PDF_EXAMPLES[0] as PdfExample;

/** Shows the document and the page format. A button shows all other options. */
export function PdfForm({ busy, onSend }: TryFormProps) {
  const [html, setHtml] = useState(FIRST.html);
  const [options, setOptions] = useState<Options>({
    ...DEFAULTS,
    css: FIRST.css,
    footer_html: FIRST.footer_html,
  });
  const set = (change: Partial<Options>) => setOptions((last) => ({ ...last, ...change }));
  return (
    <TryForm busy={busy} onSubmit={() => onSend({ html, ...toPdfMembers(options) })}>
      <Group gap="xs">
        {PDF_EXAMPLES.map((example) => (
          <Button
            key={example.name}
            size="compact-sm"
            variant="default"
            onClick={() => {
              setHtml(example.html);
              set({ css: example.css, footer_html: example.footer_html });
            }}
          >
            {example.name}
          </Button>
        ))}
      </Group>
      <CodeArea label="html" rows={12} value={html} onChange={setHtml} />
      <Group grow>
        <Select
          label="page_size"
          data={['A4', 'Letter', 'Legal', 'A3', 'A5']}
          allowDeselect={false}
          value={options.page_size}
          onChange={(page_size) => set({ page_size: page_size ?? 'A4' })}
        />
        <Select
          label="orientation"
          data={['portrait', 'landscape']}
          allowDeselect={false}
          value={options.orientation}
          onChange={(orientation) => set({ orientation: orientation ?? 'portrait' })}
        />
      </Group>
      <Disclosure label="Margins, header, footer, CSS and more">
        <MoreOptions options={options} set={set} />
      </Disclosure>
    </TryForm>
  );
}

function CodeArea({
  label,
  rows,
  value,
  onChange,
}: {
  label: string;
  rows: number;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <Textarea
      label={label}
      rows={rows}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12.5 } }}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function MoreOptions({ options, set }: { options: Options; set: (change: Partial<Options>) => void }) {
  const text = (name: keyof Options, description?: string) => (
    <TextInput
      label={name}
      description={description}
      autoComplete="off"
      value={String(options[name])}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  );
  const code = (name: keyof Options, rows: number) => (
    <CodeArea
      label={name}
      rows={rows}
      value={String(options[name])}
      onChange={(value) => set({ [name]: value })}
    />
  );
  const toggle = (name: keyof Options, description: string) => (
    <Switch
      label={name}
      description={description}
      checked={options[name] === true}
      onChange={(event) => set({ [name]: event.currentTarget.checked })}
    />
  );
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 2, xs: 4 }} spacing="xs">
        {text('margin_top')}
        {text('margin_bottom')}
        {text('margin_left')}
        {text('margin_right')}
      </SimpleGrid>
      {code('css', 5)}
      {code('header_html', 2)}
      {code('footer_html', 2)}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {text('page_width', 'In place of page_size, for example 4in')}
        {text('page_height', 'Together with page_width')}
        {text('scale', '0.1 to 2')}
        {text('page_ranges', 'For example 1-3,5')}
        {text('base_url', 'For relative links')}
        {text('wait_for', 'A CSS selector or milliseconds')}
        {text('wait_for_expression', 'For example window.ready')}
        {text('now', 'For example 2026-11-21T09:30:00Z')}
        {text('title', 'Of the PDF')}
        {text('lang', 'For example pt-BR')}
        {text('filename')}
        <Select
          label="media"
          data={['print', 'screen']}
          allowDeselect={false}
          value={options.media}
          onChange={(media) => set({ media: media ?? 'print' })}
        />
      </SimpleGrid>
      {toggle('print_background', 'Print background colors and images.')}
      {toggle('javascript', 'Run the document’s scripts.')}
      {toggle('tagged', 'Tag the structure for screen readers.')}
      {toggle('outline', 'Create bookmarks from the headings.')}
      {toggle('strict', 'Fail if the document has warnings.')}
    </Stack>
  );
}

/** Returns the changed options; numeric text becomes a number if the service takes numbers. */
function toPdfMembers(options: Options): Record<string, unknown> {
  const members = pickChangedMembers(options, DEFAULTS);
  for (const name of ['scale', 'wait_for']) {
    const value = members[name];
    if (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value)) members[name] = Number(value);
  }
  return members;
}
