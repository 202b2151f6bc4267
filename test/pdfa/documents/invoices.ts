/** Invoices in several scripts: the page and its data. */
import type { InvoiceData } from './invoice-xml.ts';

interface InvoiceText extends InvoiceData {
  language: string;
  direction?: 'rtl';
  title: string;
  total: string;
}

const invoice = (
  [language, title, total]: [string, string, string],
  [seller, buyer]: [string, string],
  names: readonly string[],
  direction?: 'rtl',
): InvoiceText => ({
  language,
  title,
  total,
  seller,
  buyer,
  number: `2026-${language.toUpperCase()}-1`,
  lines: names.map((name, index) => ({ name, quantity: index + 1, price: 1_250 * (index + 3) })),
  ...(direction && { direction }),
});

export const INVOICES: readonly InvoiceText[] = [
  invoice(
    ['de', 'Rechnung', 'Summe'],
    ['Müller & Söhne GmbH', 'Groß <Handel> KG'],
    ['Beratung', 'Größenprüfung „Süd“'],
  ),
  invoice(['fr', 'Facture', 'Total'], ['Éditions Œuvre', 'Société Naïve'], ['Conseil', 'Développement']),
  invoice(['vi', 'Hóa đơn', 'Tổng cộng'], ['Công ty Việt', 'Khách hàng'], ['Tư vấn', 'Thiết kế']),
  invoice(['el', 'Τιμολόγιο', 'Σύνολο'], ['Εταιρεία Α.Ε.', 'Πελάτης'], ['Συμβουλές', 'Μελέτη']),
  invoice(['ru', 'Счёт', 'Итого'], ['ООО «Север»', 'Покупатель'], ['Услуги', 'Разработка']),
  invoice(['ar', 'فاتورة', 'المجموع'], ['شركة المثال', 'الزبون'], ['استشارة', 'تصميم'], 'rtl'),
  invoice(['he', 'חשבונית', 'סך הכול'], ['חברת הדוגמה', 'לקוח'], ['ייעוץ', 'עיצוב'], 'rtl'),
  invoice(['hi', 'चालान', 'कुल'], ['उदाहरण कंपनी', 'ग्राहक'], ['परामर्श', 'डिज़ाइन']),
  invoice(['th', 'ใบแจ้งหนี้', 'รวม'], ['บริษัทตัวอย่าง', 'ลูกค้า'], ['ที่ปรึกษา', 'ออกแบบ']),
  invoice(['zh', '发票', '合计'], ['示例有限公司', '客户'], ['咨询', '设计']),
  invoice(['ja', '請求書', '合計'], ['株式会社サンプル', 'お客様'], ['コンサルティング', '設計']),
  invoice(['ko', '청구서', '합계'], ['예시 주식회사', '고객'], ['컨설팅', '디자인']),
];

/** Formats the page: a table, a logo with transparent colors, links, an emoji. */
export function formatInvoicePage({ language, direction, title, total, ...data }: InvoiceText): string {
  const rows = data.lines.map(
    ({ name, quantity, price }) =>
      `<tr><td>${escape(name)}</td><td>${quantity}</td><td>${(price / 100).toFixed(2)} €</td><td>${((price * quantity) / 100).toFixed(2)} €</td></tr>`,
  );
  const net = data.lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  return `<!doctype html><html lang="${language}" dir="${direction ?? 'ltr'}"><meta charset="utf-8"><title>${title} ${data.number}</title>
<style>body{font:11pt/1.5 Arial,sans-serif}table{width:100%;border-collapse:collapse}td{border-bottom:1px solid #0003;padding:4pt}h1{color:#1c5d99cc}</style>
<svg width="60" height="40" role="img" aria-label="Logo"><rect width="40" height="40" rx="8" fill="#1c5d99" opacity=".6"/><circle cx="40" cy="20" r="18" fill="#f0b429" fill-opacity=".5"/></svg>
<h1>${title} <b>${data.number}</b></h1><p>${escape(data.seller)} → ${escape(data.buyer)}</p>
<table>${rows.join('')}<tr><td colspan="3"><i>${total}</i></td><td>${((net * 1.19) / 100).toFixed(2)} €</td></tr></table>
<p>✅ <a href="https://example.com/pay">example.com</a> · <a href="mailto:billing@example.com">billing@example.com</a> · <a href="#end">↓</a></p><p id="end">½ № ™</p></html>`;
}

function escape(text: string): string {
  return text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
