/** The libraries that are compared, behind one interface. They must be installed before they are opened. */
import { openQpdf } from './qpdf-wasm.ts';
import type { Library } from './library.ts';

// The parts in use of the libraries, which are installed only for the benchmark.
interface LibPdf {
  PDF: { load(bytes: Uint8Array): Promise<LibPdfFile>; merge(files: Uint8Array[]): Promise<LibPdfFile> };
  PdfString: { fromString(text: string): object };
}

interface LibPdfFile {
  setTitle(title: string): void;
  getCatalog(): { set(key: string, value: object): void };
  setProtection(options: Passwords): void;
  addAttachment(name: string, content: Uint8Array, options: { mimeType: string }): void;
  save(): Promise<Uint8Array>;
}

interface PdfLib {
  PDFDocument: {
    create(): Promise<PdfLibFile>;
    load(bytes: Uint8Array, options: { updateMetadata: boolean }): Promise<PdfLibFile>;
  };
}

interface PdfLibFile {
  setTitle(title: string, options: { showInWindowTitleBar: boolean }): void;
  setLanguage(language: string): void;
  encrypt(options: Passwords): void;
  attach(content: Uint8Array, name: string, options: { mimeType: string }): Promise<void>;
  getPageIndices(): number[];
  copyPages(from: PdfLibFile, indices: number[]): Promise<object[]>;
  addPage(page: object): void;
  save(): Promise<Uint8Array>;
}

interface Passwords {
  userPassword: string;
  ownerPassword: string;
}

/** Imports a package by a name that the compiler does not resolve. */
const load = async (name: string): Promise<unknown> => import(name);

/** Opens the libraries. */
export async function openLibraries(): Promise<readonly Library[]> {
  return [await openLibPdf(), await openPdfLib(), openQpdf()];
}

async function openLibPdf(): Promise<Library> {
  const { PDF, PdfString } = (await load('@libpdf/core')) as LibPdf;
  return {
    name: '@libpdf/core',
    async setMetadata(bytes, { title, language }) {
      const pdf = await PDF.load(bytes);
      pdf.setTitle(title);
      pdf.getCatalog().set('Lang', PdfString.fromString(language));
      return pdf.save();
    },
    async encrypt(bytes, password) {
      const pdf = await PDF.load(bytes);
      pdf.setProtection({ userPassword: password, ownerPassword: `${password}!` });
      return pdf.save();
    },
    async attach(bytes, { name, type, bytes: content }) {
      const pdf = await PDF.load(bytes);
      pdf.addAttachment(name, content, { mimeType: type });
      return pdf.save();
    },
    async merge(pdfs) {
      return (await PDF.merge([...pdfs])).save();
    },
  };
}

async function openPdfLib(): Promise<Library> {
  const { PDFDocument } = (await load('@cantoo/pdf-lib')) as PdfLib;
  return {
    name: '@cantoo/pdf-lib',
    async setMetadata(bytes, { title, language }) {
      const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
      pdf.setTitle(title, { showInWindowTitleBar: true });
      pdf.setLanguage(language);
      return pdf.save();
    },
    async encrypt(bytes, password) {
      const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
      pdf.encrypt({ userPassword: password, ownerPassword: `${password}!` });
      return pdf.save();
    },
    async attach(bytes, { name, type, bytes: content }) {
      const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
      await pdf.attach(content, name, { mimeType: type });
      return pdf.save();
    },
    async merge(pdfs) {
      const merged = await PDFDocument.create();
      for (const bytes of pdfs) {
        const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
        for (const page of await merged.copyPages(pdf, pdf.getPageIndices())) merged.addPage(page);
      }
      return merged.save();
    },
  };
}
