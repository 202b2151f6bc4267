/** The values of the form of generatePdf, and the request that they make. */
import { OPTION_CONTROLS } from '../../../api/option-controls.gen.ts';
import type { OptionControl } from '../option-values.ts';

/** A file to attach. */
export interface AttachedFile {
  name: string;
  media_type: string;
  base64: string;
}

/** A document after the first. `id` is its identity in the list. */
export interface NextDocument {
  id: number;
  html: string;
}

/**
 * The value of a control: the text of a field, whether a switch is on, the chosen values of a list, its
 * documents or files, or the values of an object's members.
 */
export type PdfValue =
  | boolean
  | string
  | readonly string[]
  | readonly NextDocument[]
  | readonly AttachedFile[]
  | PdfValues;

/** The values by option. Options that one field sets have one value under the name of the field. */
export interface PdfValues {
  readonly [name: string]: PdfValue;
}

export const PDF_CONTROLS = OPTION_CONTROLS.generatePdf;

/** The kinds of input, by what they look like. */
export type InputKind = 'line' | 'code' | 'choice' | 'checks' | 'switch' | 'documents' | 'files' | 'object';

/** Returns the input that an option has. A choice of one value is a switch. */
export function getKind({ type, values, list, members, isCode }: OptionControl): InputKind {
  if (type === 'boolean' || (type === 'string' && values?.length === 1)) return 'switch';
  if (list !== undefined) return list;
  if (members) return 'object';
  if (values) return type === 'array' ? 'checks' : 'choice';
  return isCode ? 'code' : 'line';
}

/** Returns what the controls show first: the service's defaults. */
export function getInitialValues(controls: readonly OptionControl[] = PDF_CONTROLS): PdfValues {
  return Object.fromEntries(
    controls.map((control) =>
      control.joinedAs === undefined
        ? [control.name, getInitialValue(control)]
        : [control.joinedAs, joinDefaults(controls, control.joinedAs)],
    ),
  );
}

/** Joins the defaults of the options that one field sets, in the order of CSS. */
function joinDefaults(controls: readonly OptionControl[], joinedAs: string): string {
  const [top, right, bottom, left] = SIDES.map(
    (side) =>
      controls.find((control) => control.joinedAs === joinedAs && getSide(control.name) === side)?.default,
  );
  return (top === bottom && right === left ? [top, right] : [top, right, bottom, left]).join(' ');
}

function getInitialValue(control: OptionControl): PdfValue {
  const kind = getKind(control);
  if (kind === 'object') return getInitialValues(control.members);
  if (kind === 'switch') return control.default === true;
  if (kind === 'checks') return control.values ?? [];
  return kind === 'documents' || kind === 'files' ? [] : String(control.default ?? '');
}

/** Returns the members of the request: the options that differ from the service's defaults. */
export function formatPdfMembers(
  values: PdfValues,
  controls: readonly OptionControl[] = PDF_CONTROLS,
): Record<string, unknown> {
  const members = controls
    .filter((control) => isShown(control, values) && findExcluding(control, values).length === 0)
    .map((control) => [control.name, formatMember(control, getValue(control, values))]);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** Returns the value of a control; of an option that a field sets with others, its part of the text. */
function getValue({ name, joinedAs }: OptionControl, values: PdfValues): PdfValue {
  if (joinedAs === undefined) return values[name] ?? '';
  const [top = '', right = top, bottom = top, left = right] = getText(values, joinedAs)
    .trim()
    .split(/[\s,]+/);
  const sides: Record<string, string> = { top, right, bottom, left };
  return sides[getSide(name)] ?? '';
}

/** Returns the member of the request; undefined if the service would do the same without it. */
function formatMember(control: OptionControl, value: PdfValue): unknown {
  if (control.isRequired) return value;
  if (typeof value === 'string') return formatText(control, value);
  if (typeof value === 'boolean') return formatSwitch(control, value);
  if (!Array.isArray(value)) return formatObject(control, value as PdfValues);
  const kind = getKind(control);
  if (kind === 'checks') return value.length === control.values?.length ? undefined : value;
  const items = kind === 'documents' ? formatDocuments(value as readonly NextDocument[]) : value;
  return items.length > 0 ? items : undefined;
}

function formatObject({ members }: OptionControl, values: PdfValues): object | undefined {
  return isFilled(values[members?.[0]?.name ?? '']) ? formatPdfMembers(values, members) : undefined;
}

function formatSwitch({ values, default: fallback }: OptionControl, isOn: boolean): unknown {
  if (values) return isOn ? values[0] : undefined;
  return isOn === fallback ? undefined : isOn;
}

function formatDocuments(documents: readonly NextDocument[]): readonly object[] {
  return documents.filter(({ html }) => html.trim() !== '').map(({ html }) => ({ html }));
}

function formatText({ type, accepts, default: fallback = '' }: OptionControl, text: string): unknown {
  if (type === 'object') return findData(text) ?? text;
  if (text === '' || text === String(fallback)) return undefined;
  const mayBeNumber = [type, accepts].some((one) => one === 'number' || one === 'integer');
  return mayBeNumber && /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** Checks whether a control has a use: the option that it needs is set. */
export function isShown({ needs }: OptionControl, values: PdfValues): boolean {
  return needs === undefined || isFilled(values[needs]);
}

/** Returns the texts of the options that take the place of this one. */
export function findExcluding({ excludedBy = [] }: OptionControl, values: PdfValues): readonly string[] {
  const texts = excludedBy.map((name) => getText(values, name));
  return texts.some((text) => text !== '') ? texts : [];
}

function isFilled(value: PdfValue | undefined): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '' && value !== false;
}

export function getText(values: PdfValues, name: string): string {
  const value = values[name];
  return typeof value === 'string' ? value : '';
}

const SIDES = ['top', 'right', 'bottom', 'left'];

function getSide(name: string): string {
  return name.slice(name.lastIndexOf('_') + 1);
}

/** Returns the object that a text of JSON has; null for another text. */
export function findData(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** Counts the options that differ from the defaults and are behind "More options". */
export function countMoreOptions(values: PdfValues): number {
  const members = formatPdfMembers(values);
  return PDF_CONTROLS.filter(({ name, group }) => group !== undefined && Object.hasOwn(members, name)).length;
}
