/**
 * The same sentence ("Everyone has the right to education", UDHR 26) or a greeting in 22 scripts, and emoji.
 */
export const SCRIPTS: readonly [script: string, lang: string, text: string][] = [
  ['Latin', 'fr', 'Toute personne a droit à l’éducation — œuvre, naïve, ŵ, ẞ'],
  ['Greek', 'el', 'Καθένας έχει δικαίωμα να εκπαιδεύεται'],
  ['Cyrillic', 'ru', 'Каждый человек имеет право на образование'],
  ['Armenian', 'hy', 'Յուրաքանչյուր ոք ունի ուսման իրավունք'],
  ['Georgian', 'ka', 'ყოველ ადამიანს აქვს განათლების უფლება'],
  ['Hebrew', 'he', 'כל אדם זכאי לחינוך'],
  ['Arabic', 'ar', 'لكل شخص الحق في التعلم'],
  ['Devanagari', 'hi', 'सभी को शिक्षा का अधिकार है'],
  ['Bengali', 'bn', 'প্রত্যেকেরই শিক্ষালাভের অধিকার রয়েছে'],
  ['Gurmukhi', 'pa', 'ਹਰ ਇਕ ਨੂੰ ਵਿੱਦਿਆ ਦਾ ਹੱਕ ਹੈ'],
  ['Gujarati', 'gu', 'દરેક વ્યક્તિને શિક્ષણનો અધિકાર છે'],
  ['Tamil', 'ta', 'ஒவ்வொருவருக்கும் கல்விக்கான உரிமை உண்டு'],
  ['Telugu', 'te', 'ప్రతి వ్యక్తికి విద్యా హక్కు కలదు'],
  ['Kannada', 'kn', 'ಪ್ರತಿಯೊಬ್ಬರಿಗೂ ಶಿಕ್ಷಣದ ಹಕ್ಕಿದೆ'],
  ['Malayalam', 'ml', 'ഏവർക്കും വിദ്യാഭ്യാസത്തിന് അവകാശമുണ്ട്'],
  ['Sinhala', 'si', 'සෑම පුද්ගලයෙකුට ම අධ්‍යාපනය ලැබීමේ අයිතිය ඇත'],
  ['Thai', 'th', 'บุคคลมีสิทธิในการศึกษา'],
  ['Lao', 'lo', 'ຄົນທຸກຄົນມີສິດໃນການສຶກສາ'],
  ['Khmer', 'km', 'មនុស្ស​ម្នាក់ៗ​មាន​សិទ្ធិ​ទទួល​ការ​អប់រំ'],
  ['Ethiopic', 'am', 'እያንዳንዱ ሰው የመማር መብት አለው'],
  ['Han, Kana', 'ja', 'すべて人は、教育を受ける権利を有する。人人都有受教育的权利'],
  ['Hangul', 'ko', '모든 사람은 교육을 받을 권리를 가진다'],
  ['Emoji', 'en', '😀 👩‍💻 🇩🇰 ✅ 🎉 ❤️ 👍🏽'],
];

export function scriptsPage(): string {
  const rows = SCRIPTS.map(
    ([script, lang, text]) =>
      `<tr><th>${script}</th><td lang="${lang}">${text}</td><td lang="${lang}"><b>${text}</b></td></tr>`,
  ).join('\n');
  return `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Scripts</title><style>body{font:10pt Arial,sans-serif;margin:0}table{border-collapse:collapse;width:100%}th,td{border:.5pt solid #ccc;padding:4pt;text-align:start}</style><table>${rows}</table>
<p style="font-family:Times">Times <span style="font-family:Georgia">Georgia</span> <span style="font-family:Courier">Courier</span> <span style="font-family:Helvetica">Helvetica</span> <span style="font-family:Verdana">Verdana</span> <span style="font-family:Calibri">Calibri</span> <span style="font-family:Cambria">Cambria</span> <span style="font-family:'Segoe UI'">Segoe UI</span> <span style="font-family:monospace">monospace</span> <span style="font-family:system-ui">system-ui</span> <span style="font-family:cursive">cursive</span> <span style="font-family:fantasy">fantasy</span> √ ∑ ∫ → ⇒ ☐ ☑ ★ ♠ € ₹ ₿ № ½ ™ ① Ⅳ │─┼ ▓ α</p>
</html>`;
}
