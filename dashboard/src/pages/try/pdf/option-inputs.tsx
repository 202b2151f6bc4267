/** The inputs of the options of generatePdf, by what their rows say. */
import { Checkbox, Select, SimpleGrid, Switch, Textarea, TextInput } from '@mantine/core';
import type { OptionControl } from '../option-values.ts';
import { DocumentList, FileList } from './list-inputs.tsx';
import {
  type AttachedFile,
  findData,
  findExcluding,
  getKind,
  getText,
  type NextDocument,
  type PdfValues,
} from './pdf-options.ts';
import classes from './workbench.module.css';

export interface OptionsProps {
  values: PdfValues;
  set: (change: PdfValues) => void;
}

type InputProps = OptionsProps & { control: OptionControl };

/** Shows the input of an option. */
export function OptionInput(props: InputProps) {
  switch (getKind(props.control)) {
    case 'switch':
      return <SwitchInput {...props} />;
    case 'choice':
      return <ChoiceInput {...props} />;
    case 'checks':
      return <ChecksInput {...props} />;
    case 'code':
      return <CodeInput {...props} />;
    case 'documents':
      return <DocumentsInput {...props} />;
    case 'files':
      return <FilesInput {...props} />;
    case 'object':
      return <ObjectInput {...props} />;
    case 'line':
    default:
      return <LineInput {...props} />;
  }
}

function getLabel({ label, name }: OptionControl): string {
  return label ?? name;
}

function LineInput({ control, values, set }: InputProps) {
  const { isSecret = false, joinedAs, hint, placeholder } = control;
  const name = joinedAs ?? control.name;
  return (
    <TextInput
      type={isSecret ? 'password' : 'text'}
      label={getLabel(control)}
      description={hint}
      placeholder={placeholder}
      title={joinedAs === undefined ? undefined : 'One to four lengths, as in CSS: top, right, bottom, left'}
      autoComplete={isSecret ? 'new-password' : 'off'}
      value={getText(values, name)}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  );
}

/** Shows a field of code: HTML, XML or JSON. */
function CodeInput({ control, values, set }: InputProps) {
  const { name, type, hint } = control;
  const value = getText(values, name);
  const isWrong = type === 'object' && findData(value) === null;
  return (
    <Textarea
      label={getLabel(control)}
      description={hint}
      error={isWrong ? 'This is not a JSON object.' : undefined}
      className={classes.code ?? ''}
      rows={4}
      spellCheck={false}
      autoComplete="off"
      value={value}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  );
}

/** Shows the choices of an option. Options that take its place are shown instead. */
function ChoiceInput({ control, values, set }: InputProps) {
  const { name, hint, labels } = control;
  const others = findExcluding(control, values);
  const other = others.length === 0 ? null : others.join(' × ');
  return (
    <Select
      label={getLabel(control)}
      description={hint}
      data={
        other === null
          ? (control.values ?? []).map((value) => ({ value, label: labels?.[value] ?? value }))
          : [other]
      }
      allowDeselect={false}
      disabled={other !== null}
      value={other ?? getText(values, name)}
      onChange={(value) => value !== null && set({ [name]: value })}
    />
  );
}

function SwitchInput({ control, values, set }: InputProps) {
  return (
    <Switch
      label={getLabel(control)}
      checked={values[control.name] === true}
      onChange={(event) => set({ [control.name]: event.currentTarget.checked })}
    />
  );
}

function ChecksInput({ control, values, set }: InputProps) {
  const { name, labels } = control;
  return (
    <Checkbox.Group
      label={getLabel(control)}
      value={[...(values[name] as readonly string[])]}
      onChange={(chosen) => set({ [name]: chosen })}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing={8} mt="xs">
        {control.values?.map((value) => (
          <Checkbox key={value} value={value} label={labels?.[value] ?? value} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}

/** Shows the first member of an object, and the others once it is filled in. */
function ObjectInput({ control: { name, members }, values, set }: InputProps) {
  const object = values[name] as PdfValues;
  const main = members?.[0];
  const isUsed = main !== undefined && getText(object, main.name) !== '';
  return members
    ?.filter((member) => member === main || isUsed)
    .map((member) => (
      <OptionInput
        key={member.name}
        control={member}
        values={object}
        set={(change) => set({ [name]: { ...object, ...change } })}
      />
    ));
}

function DocumentsInput({ control: { name, maxItems = 0 }, values, set }: InputProps) {
  const documents = values[name] as readonly NextDocument[];
  return <DocumentList documents={documents} max={maxItems} set={(next) => set({ [name]: next })} />;
}

function FilesInput({ control, values, set }: InputProps) {
  const { name } = control;
  const files = values[name] as readonly AttachedFile[];
  return <FileList label={getLabel(control)} files={files} set={(next) => set({ [name]: next })} />;
}
