/** The documents that follow the first in one PDF, and the files that are attached to it. */
import { Button, FileButton, Group, Textarea } from '@mantine/core';
import type { AttachedFile, NextDocument } from './pdf-options.ts';
import classes from './workbench.module.css';

/** Shows a field for the HTML of each document, at most `max`. */
export function DocumentList({
  documents,
  max,
  set,
}: {
  documents: readonly NextDocument[];
  max: number;
  set: (documents: readonly NextDocument[]) => void;
}) {
  const add = (): void => {
    const id = Math.max(0, ...documents.map((one) => one.id)) + 1;
    set([...documents, { id, html: '' }]);
  };
  return (
    <>
      {documents.map(({ id, html }, index) => (
        <div key={id} className={classes.removable}>
          <Textarea
            label={`Document ${index + 2}`}
            className={classes.code ?? ''}
            rows={4}
            spellCheck={false}
            autoComplete="off"
            value={html}
            onChange={(event) => set(documents.with(index, { id, html: event.currentTarget.value }))}
          />
          <RemoveButton what={`document ${index + 2}`} onClick={() => set(documents.toSpliced(index, 1))} />
        </div>
      ))}
      <Group>
        <Button variant="default" size="compact-sm" disabled={documents.length >= max} onClick={add}>
          Add a document
        </Button>
      </Group>
    </>
  );
}

/** Shows the attached files, and a button that adds more. A file replaces one of the same name. */
export function FileList({
  label,
  files,
  set,
}: {
  label: string;
  files: readonly AttachedFile[];
  set: (files: readonly AttachedFile[]) => void;
}) {
  const attach = async (chosen: readonly File[]): Promise<void> => {
    const added = await readFiles(chosen);
    const names = new Set(added.map(({ name }) => name));
    set([...files.filter(({ name }) => !names.has(name)), ...added]);
  };
  return (
    <>
      {files.length > 0 && (
        <ul className={classes.files} aria-label="Attached files">
          {files.map(({ name }) => (
            <li key={name}>
              <span>{name}</span>
              <RemoveButton what={name} onClick={() => set(files.filter((file) => file.name !== name))} />
            </li>
          ))}
        </ul>
      )}
      <Group>
        <FileButton multiple onChange={(chosen) => void attach(chosen)}>
          {(props) => (
            <Button variant="default" size="compact-sm" {...props}>
              {label}
            </Button>
          )}
        </FileButton>
      </Group>
    </>
  );
}

function RemoveButton({ what, onClick }: { what: string; onClick: () => void }) {
  return (
    <Button variant="subtle" size="compact-sm" aria-label={`Remove ${what}`} onClick={onClick}>
      Remove
    </Button>
  );
}

/** Reads files as base64. */
async function readFiles(files: readonly File[]): Promise<AttachedFile[]> {
  return Promise.all(
    files.map(async (file) => ({
      name: file.name,
      media_type: file.type === '' ? 'application/octet-stream' : file.type,
      base64: toBase64(new Uint8Array(await file.arrayBuffer())),
    })),
  );
}

/** Arguments of one call of String.fromCharCode: more could exceed the stack. */
const SLICE_BYTES = 8_192;

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += SLICE_BYTES)
    text += String.fromCharCode(...bytes.subarray(at, at + SLICE_BYTES));
  return btoa(text);
}
