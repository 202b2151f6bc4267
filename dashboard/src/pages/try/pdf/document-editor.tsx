/** The texts of the document in tabs, and the examples. */
import { Select } from '@mantine/core';
import { useId } from 'react';
import { TabList } from '../../../components/tab-list.tsx';
import { Editor } from './editor.tsx';
import { PDF_EXAMPLES } from './examples/index.ts';
import type { PdfTexts } from './pdf-options.ts';
import classes from './workbench.module.css';

export type TextName = keyof PdfTexts;

const TABS: readonly { name: TextName; label: string; language: 'html' | 'css' }[] = [
  { name: 'html', label: 'HTML', language: 'html' },
  { name: 'css', label: 'CSS', language: 'css' },
  { name: 'header_html', label: 'Header', language: 'html' },
  { name: 'footer_html', label: 'Footer', language: 'html' },
];

/** Shows the chosen text in the editor. A tab whose text is not empty has a dot. */
export function DocumentEditor({
  texts,
  tab,
  example,
  markedLine,
  onTab,
  onExample,
  onText,
  onSubmit,
}: {
  texts: PdfTexts;
  tab: TextName;
  example: string;
  markedLine: number | null;
  onTab: (tab: TextName) => void;
  onExample: (name: string) => void;
  onText: (name: TextName, value: string) => void;
  onSubmit: () => void;
}) {
  const id = useId();
  const chosen = TABS.find(({ name }) => name === tab) ?? TABS[0];
  const tabs = TABS.map(({ name, label }) => ({
    value: name,
    label,
    isFilled: name !== 'html' && texts[name] !== '',
  }));
  return (
    <section className={classes.document} aria-label="Document">
      <div className={classes.bar}>
        <TabList label="Texts of the document" panel={id} tabs={tabs} value={tab} onChange={onTab} />
        <Select
          aria-label="Example"
          className={classes.example ?? ''}
          data={PDF_EXAMPLES.map(({ name }) => name)}
          allowDeselect={false}
          value={example}
          onChange={(name) => name !== null && onExample(name)}
        />
      </div>
      <div id={id} role="tabpanel" aria-labelledby={`${id}-${tab}`} className={classes.panel}>
        <Editor
          key={tab}
          label={chosen?.label ?? ''}
          language={chosen?.language ?? 'html'}
          value={texts[tab]}
          markedLine={markedLine}
          onChange={(value) => onText(tab, value)}
          onSubmit={onSubmit}
        />
      </div>
    </section>
  );
}
