/** The members that change the PDF after it was printed. */
import type { Finishing } from '../finish/finishing.ts';
import { parseAttachments } from './attachment-members.ts';
import { parseEncryption } from './encryption-members.ts';
import { parseInvoice } from './invoice-members.ts';
import { parseKeywords } from './keyword-members.ts';
import { parseOneOf, throwInvalid, type Body } from './members.ts';
import { parseLine } from './metadata-members.ts';

/** Parses them. Throws `invalid_parameter`. */
export function parseFinishing(body: Body): Finishing {
  const attachments = parseAttachments(body);
  const invoice = parseInvoice(body, attachments);
  const finishing: Finishing = {
    author: parseLine(body, 'author'),
    subject: parseLine(body, 'subject'),
    keywords: parseKeywords(body),
    attachments,
    encryption: parseEncryption(body),
    pdfa: parseOneOf(body, 'pdfa', ['3b']) ?? (invoice === null ? null : '3b'),
    invoice,
  };
  checkMayEncrypt(finishing);
  return finishing;
}

/** ISO 19005-3 §6.1.3 excludes encryption. */
function checkMayEncrypt({ encryption, pdfa, invoice }: Finishing): void {
  if (encryption === null || pdfa === null) return;
  const param = encryption.password === null ? 'owner_password' : 'password';
  throwInvalid(
    param,
    `${param} cannot be combined with ${invoice === null ? 'pdfa' : 'facturx'}: PDF/A excludes encryption. Leave one of them out.`,
  );
}
