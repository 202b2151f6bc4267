/** The options of generatePdf that change the finished PDF, in groups. */
import { Button, Checkbox, FileButton, Group, SimpleGrid } from '@mantine/core';
import {
  ChoiceField,
  CodeField,
  type LineField,
  LineFields,
  OptionGroup,
  type OptionsProps,
  OptionSwitch,
} from './option-inputs.tsx';
import { findData, INVOICE_PROFILES, PERMISSIONS, readFiles } from './pdf-parts.ts';
import classes from './workbench.module.css';

const INFO_FIELDS: readonly LineField[] = [
  { name: 'title', label: 'Title', hint: 'In the window of the viewer' },
  { name: 'lang', label: 'Language', hint: 'For example pt-BR' },
  { name: 'author', label: 'Author', hint: 'A person or a company' },
  { name: 'subject', label: 'Subject', hint: 'What it is about' },
  { name: 'keywords', label: 'Keywords', hint: 'With commas between them' },
];

export function InfoGroup({ options, set }: OptionsProps) {
  const { files } = options;
  const attach = async (chosen: readonly File[]): Promise<void> => {
    const added = await readFiles(chosen);
    const names = new Set(added.map(({ name }) => name));
    set({ files: [...files.filter(({ name }) => !names.has(name)), ...added] });
  };
  return (
    <OptionGroup title="Document info">
      <LineFields fields={INFO_FIELDS} options={options} set={set} />
      {files.length > 0 && (
        <ul className={classes.files} aria-label="Attached files">
          {files.map(({ name }) => (
            <li key={name}>
              <span>{name}</span>
              <Button
                variant="subtle"
                size="compact-sm"
                aria-label={`Remove ${name}`}
                onClick={() => set({ files: files.filter((file) => file.name !== name) })}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Group>
        <FileButton multiple onChange={(chosen) => void attach(chosen)}>
          {(props) => (
            <Button variant="default" size="compact-sm" {...props}>
              Attach files
            </Button>
          )}
        </FileButton>
      </Group>
    </OptionGroup>
  );
}

export function LayersGroup({ options, set }: OptionsProps) {
  return (
    <OptionGroup title="Watermark and first page">
      <CodeField
        label="Watermark"
        hint="HTML on the whole sheet of every page"
        value={options.watermark_html}
        onChange={(watermark_html) => set({ watermark_html })}
      />
      {options.watermark_html !== '' && (
        <ChoiceField
          name="watermark_position"
          label="Watermark position"
          data={[
            { value: 'behind', label: 'Behind the content' },
            { value: 'over', label: 'Over the content' },
          ]}
          options={options}
          set={set}
        />
      )}
      <CodeField
        label="Header of the first page"
        hint="In place of the header; empty for the same"
        value={options.first_header_html}
        onChange={(first_header_html) => set({ first_header_html })}
      />
      <CodeField
        label="Footer of the first page"
        hint="In place of the footer; empty for the same"
        value={options.first_footer_html}
        onChange={(first_footer_html) => set({ first_footer_html })}
      />
    </OptionGroup>
  );
}

export function DataGroup({ options, set }: OptionsProps) {
  const isWrong = options.usesData && findData(options.data) === null;
  return (
    <OptionGroup title="Template">
      <OptionSwitch name="usesData" label="Fill the HTML with data (Liquid)" options={options} set={set} />
      {options.usesData && (
        <CodeField
          label="Data"
          hint="A JSON object: {{ customer }} in the HTML prints its customer"
          error={isWrong ? 'This is not a JSON object.' : undefined}
          value={options.data}
          onChange={(data) => set({ data })}
        />
      )}
    </OptionGroup>
  );
}

const SECURITY_FIELDS: readonly LineField[] = [
  { name: 'password', label: 'Password', hint: 'Opens the PDF', isSecret: true },
  { name: 'owner_password', label: "Owner's password", hint: 'Lifts the permissions', isSecret: true },
];

export function SecurityGroup({ options, set }: OptionsProps) {
  return (
    <OptionGroup title="Security">
      <LineFields fields={SECURITY_FIELDS} options={options} set={set} />
      {options.owner_password !== '' && (
        <Checkbox.Group
          label="Allowed without the owner's password"
          value={[...options.permissions]}
          onChange={(permissions) => set({ permissions })}
        >
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing={8} mt="xs">
            {PERMISSIONS.map(({ value, label }) => (
              <Checkbox key={value} value={value} label={label} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
      )}
    </OptionGroup>
  );
}

export function ArchiveGroup({ options, set }: OptionsProps) {
  return (
    <OptionGroup title="Archive and e-invoice">
      <OptionSwitch name="isArchive" label="PDF/A-3b for archives" options={options} set={set} />
      <CodeField
        label="Invoice XML"
        hint="Factur-X, ZUGFeRD or XRechnung (CII)"
        value={options.invoiceXml}
        onChange={(invoiceXml) => set({ invoiceXml })}
      />
      {options.invoiceXml !== '' && (
        <ChoiceField
          name="invoiceProfile"
          label="Profile"
          data={INVOICE_PROFILES}
          options={options}
          set={set}
        />
      )}
    </OptionGroup>
  );
}
