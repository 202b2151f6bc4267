/** The texts of the document in tabs, and the examples. */
import { Select } from '@mantine/core';
import { useId } from 'react';
import { TabList } from '../../../components/tab-list.tsx';
import { Editor } from './editor.tsx';
import { PDF_EXAMPLES } from './examples/index.ts';
import { getText, PDF_CONTROLS, type PdfValues } from './pdf-options.ts';
import classes from './workbench.module.css';

/** Lists the options whose text has a tab. */
function listTexts() {
  return PDF_CONTROLS.flatMap(({ name, label = name, editor }) =>
    editor === undefined ? [] : [{ name, label, language: editor }],
  );
}

/** Shows the chosen text in the editor. A tab whose text is not empty has a dot. */
export function DocumentEditor({
  values,
  tab,
  example,
  markedLine,
  onTab,
  onExample,
  onText,
  onSubmit,
}: {
  values: PdfValues;
  tab: string;
  example: string;
  markedLine: number | null;
  onTab: (tab: string) => void;
  onExample: (name: string) => void;
  onText: (name: string, value: string) => void;
  onSubmit: () => void;
}) {
  const id = useId();
  const texts = listTexts();
  const chosen = texts.find(({ name }) => name === tab);
  const tabs = texts.map(({ name, label }) => ({
    value: name,
    label,
    isFilled: name !== 'html' && getText(values, name) !== '',
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
          value={getText(values, tab)}
          markedLine={markedLine}
          onChange={(value) => onText(tab, value)}
          onSubmit={onSubmit}
        />
      </div>
    </section>
  );
}
