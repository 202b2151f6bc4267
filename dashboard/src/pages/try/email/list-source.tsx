/** Takes a list: a dropped or chosen file, or pasted text. */
import { Button, Textarea } from '@mantine/core';
import { type DragEvent, useRef, useState } from 'react';
import { Icon } from '../../../components/icon.tsx';
import classes from './list.module.css';

/** Shows the place to drop a file on, and buttons that choose a file or open a field to paste into. */
export function ListSource({
  isAnother,
  onFile,
  onText,
}: {
  isAnother: boolean;
  onFile: (file: File) => void;
  onText: (text: string) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [pasted, setPasted] = useState<string | null>(null);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    const text = event.dataTransfer.getData('text/plain');
    if (file) onFile(file);
    else if (text !== '') onText(text);
  };
  return (
    <div
      className={classes.source}
      data-over={isOver || undefined}
      data-first={!isAnother || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <p>{isAnother ? 'Drop another CSV here, or' : 'Drop a CSV here, or'}</p>
      <div className={classes.choices}>
        <input
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          hidden
          aria-label="CSV file"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            // The same file can be chosen again.
            event.currentTarget.value = '';
            if (file) onFile(file);
          }}
        />
        <Button
          variant="default"
          leftSection={<Icon name="upload" size={16} />}
          onClick={() => input.current?.click()}
        >
          Choose a file
        </Button>
        <Button
          variant="subtle"
          aria-expanded={pasted !== null}
          onClick={() => setPasted(pasted === null ? '' : null)}
        >
          Paste addresses
        </Button>
      </div>
      {pasted !== null && (
        <div className={classes.paste}>
          <Textarea
            aria-label="Addresses"
            placeholder={'ann@example.com\nbob@example.org'}
            rows={6}
            spellCheck={false}
            autoComplete="off"
            autoFocus
            value={pasted}
            onChange={(event) => setPasted(event.currentTarget.value)}
          />
          <Button
            variant="default"
            disabled={pasted.trim() === ''}
            onClick={() => {
              onText(pasted);
              setPasted(null);
            }}
          >
            Use these addresses
          </Button>
        </div>
      )}
    </div>
  );
}
