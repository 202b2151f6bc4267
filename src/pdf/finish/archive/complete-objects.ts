import {
  PDFDict,
  PDFName,
  PDFNumber,
  PDFStream,
  type PDFArray,
  type PDFDocument,
  type PDFObject,
} from '@cantoo/pdf-lib';

const NAMES = {
  action: PDFName.of('A'),
  colors: PDFName.of('CS'),
  flags: PDFName.of('F'),
  group: PDFName.of('Group'),
  interpolate: PDFName.of('Interpolate'),
  kind: PDFName.of('S'),
  form: PDFName.of('Form'),
  image: PDFName.of('Image'),
  openAction: PDFName.of('OpenAction'),
  rgb: PDFName.of('DeviceRGB'),
  subtype: PDFName.of('Subtype'),
  triggers: PDFName.of('AA'),
} as const;

/** The flag that lets an annotation be printed. Those that hide it are not allowed (ISO 19005-3 §6.3.2). */
const PRINTED = PDFNumber.of(4);
/** The actions that links may have (ISO 19005-3 §6.5.1). Chromium writes destinations and the first two. */
const ACTIONS: ReadonlySet<PDFObject | undefined> = new Set(
  ['GoTo', 'URI', 'GoToR', 'GoToE', 'Thread', 'Named'].map((name) => PDFName.of(name)),
);

/**
 * Sets what PDF/A asks of single objects: annotations are printed, actions run no program, images are not
 * interpolated, and groups of transparent content have a color space. Other dictionaries stay as they are:
 * the keys of destinations are the ids of the document.
 */
export function completeObjects(pdf: PDFDocument): void {
  completeActions(pdf.catalog);
  for (const { node } of pdf.getPages()) {
    completeActions(node);
    completeGroup(node);
    const annotations = node.Annots();
    if (annotations) completeAnnotations(annotations);
  }
  for (const [, object] of pdf.context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFStream)) continue;
    if (object.dict.lookup(NAMES.subtype) === NAMES.form) completeGroup(object.dict);
    if (object.dict.lookup(NAMES.subtype) === NAMES.image) object.dict.delete(NAMES.interpolate);
  }
}

function completeGroup(drawn: PDFDict): void {
  const group = drawn.lookup(NAMES.group);
  if (group instanceof PDFDict && !group.has(NAMES.colors)) group.set(NAMES.colors, NAMES.rgb);
}

function completeAnnotations(annotations: PDFArray): void {
  for (let index = 0; index < annotations.size(); index += 1) {
    const annotation = annotations.lookup(index);
    if (!(annotation instanceof PDFDict)) continue;
    annotation.set(NAMES.flags, PRINTED);
    completeActions(annotation);
  }
}

function completeActions(dictionary: PDFDict): void {
  dictionary.delete(NAMES.triggers);
  removeAction(dictionary, NAMES.action);
  removeAction(dictionary, NAMES.openAction);
}

/** Removes an action that is not allowed. A destination, which is an array or a name, stays. */
function removeAction(dictionary: PDFDict, key: PDFName): void {
  const action = dictionary.has(key) ? dictionary.lookup(key) : undefined;
  if (action instanceof PDFDict && !ACTIONS.has(action.lookup(NAMES.kind))) dictionary.delete(key);
}
