/** A text in each encoding of the WHATWG standard except `replacement` and `x-user-defined`. */
export interface CharsetSample {
  charset: string;
  title: string;
  body: string;
  /** The page's language, which helps the guess when no encoding is declared. */
  lang: string;
}

const GERMAN = [
  'Straße gesperrt: Züge fahren später',
  'Die Züge fahren später, weil die Straße über die Brücke gesperrt ist. Für Gäste gibt es Kaffee, Tee und größere Stücke Kuchen. Überall stehen Helfer bereit und grüßen höflich.',
  'de',
] as const;
const POLISH = [
  'Źródło świeżości: żółta łódź',
  'Każdy może zobaczyć żółtą łódź na brzegu rzeki. Dzieci bawią się w cieniu drzew, a dorośli rozmawiają o pogodzie. Wieczorem wszyscy wrócą do domu, gdzie będzie ciepła kolacja i świeży chleb.',
  'pl',
] as const;
const RUSSIAN = [
  'Погода в городе на завтра',
  'Завтра в городе ожидается облачная погода без осадков. Ночью температура опустится до пяти градусов, днём воздух прогреется до двенадцати. Синоптики советуют не забывать о тёплой одежде.',
  'ru',
] as const;
const GREEK = [
  'Ο καιρός αύριο στην πόλη',
  'Αύριο αναμένεται συννεφιά στην πόλη, χωρίς βροχές. Η θερμοκρασία θα φτάσει τους δώδεκα βαθμούς. Οι μετεωρολόγοι συνιστούν ζεστά ρούχα και προσοχή στους δρόμους.',
  'el',
] as const;
const HEBREW = [
  'תחזית מזג האוויר למחר',
  'מחר יהיה מעונן חלקית בכל הארץ. בלילה תרד הטמפרטורה לחמש מעלות וביום תעלה לשתים עשרה. החזאים ממליצים ללבוש בגדים חמים ולנהוג בזהירות בדרכים.',
  'he',
] as const;
const ARABIC = [
  'حالة الطقس غدا في المدينة',
  'من المتوقع أن يكون الطقس غدا غائما في المدينة بدون أمطار. تنخفض درجة الحرارة ليلا إلى خمس درجات وترتفع نهارا. وينصح الخبراء بارتداء الملابس الدافئة.',
  'ar',
] as const;
const THAI = [
  'พยากรณ์อากาศวันพรุ่งนี้',
  'พรุ่งนี้ท้องฟ้ามีเมฆมากและไม่มีฝน อุณหภูมิกลางคืนลดลงเหลือสิบแปดองศา กลางวันอากาศร้อน โปรดดูแลสุขภาพและขับรถด้วยความระมัดระวัง',
  'th',
] as const;
const TURKISH = [
  'Yarın şehirde hava nasıl olacak',
  'Yarın şehirde bulutlu bir hava bekleniyor, yağış yok. Gece sıcaklık beş dereceye kadar düşecek, gündüz ise on iki derece olacak. Uzmanlar kalın giysiler öneriyor ve sürücüleri uyarıyor.',
  'tr',
] as const;
const LATVIAN = [
  'Rīt pilsētā būs mākoņains',
  'Rīt pilsētā gaidāms mākoņains laiks bez nokrišņiem. Naktī temperatūra pazemināsies līdz pieciem grādiem, dienā gaiss sasils. Sinoptiķi iesaka ģērbties silti.',
  'lv',
] as const;
const VIETNAMESE = [
  'Th\u01a1 ti\u0300nh cu\u0309a ng\u01b0\u01a1\u0300i li\u0301nh',
  'Đêm nay tr\u01a1\u0300i m\u01b0a, ng\u01b0\u01a1\u0300i \u01a1i nh\u01a1\u0301 nhau thi\u0300 vê\u0300 thăm quê h\u01b0\u01a1ng.',
  'vi',
] as const;
const JAPANESE = [
  '明日の天気予報と表示の能力',
  '明日は雲が多いものの、雨の心配はないでしょう。夜の気温は五度まで下がり、昼は十二度まで上がる見込みです。暖かい服装でお出かけください。ソースの表もご覧ください。',
  'ja',
] as const;
const SIMPLIFIED = [
  '明天城市天气预报',
  '预计明天城市多云，没有降雨。夜间气温降至五度，白天升至十二度。气象专家建议市民注意保暖，出门带好衣物，司机朋友请谨慎驾驶。',
  'zh-CN',
] as const;
const TRADITIONAL = [
  '明天城市天氣預報與功能',
  '預計明天城市多雲，沒有降雨。夜間氣溫降至五度，白天升至十二度。氣象專家建議市民注意保暖，出門帶好衣物，許多功能請謹慎使用。',
  'zh-TW',
] as const;
const KOREAN = [
  '내일 도시의 날씨 예보',
  '내일은 구름이 많겠으나 비는 오지 않겠습니다. 밤 기온은 오 도까지 내려가고 낮에는 십이 도까지 오르겠습니다. 따뜻한 옷차림을 권합니다.',
  'ko',
] as const;
const ROMANIAN = [
  'Vremea de mâine în oraș',
  'Mâine se așteaptă vreme înnorată în oraș, fără ploi. Noaptea temperatura va coborî până la cinci grade, iar ziua va urca. Meteorologii recomandă haine călduroase și atenție pe șosele.',
  'ro',
] as const;
const MALTESE = [
  'It-temp għada fil-belt',
  'Għada mistenni temp imsaħħab fil-belt mingħajr xita. Billejl it-temperatura tinżel sa ħames gradi. Ħuda bil-għaqal, ġenna ċert.',
  'mt',
] as const;
const SAMI = [
  'Dálki ihttin gávpogis',
  'Ihttin lea balvadat gávpogis, ii arvvat. Ihkku temperaturra njiedjá vihtta grádii. Čájet šearrát ja đieđe ŋuolga ŧ.',
  'se',
] as const;
const WELSH = [
  'Tŷ newydd ar lan yr afon',
  'Mae tŷ newydd ar lan yr afon gyda dŵr glân. Bydd ŵyn yn y cae ac ŷd yn y maes. Mae’r gŵr yn y siop.'.replace(
    '’',
    "'",
  ),
  'cy',
] as const;
const UKRAINIAN = [
  'Погода у місті на завтра',
  'Завтра у місті очікується хмарна погода без опадів. Вночі температура знизиться до п’яти градусів, вдень повітря прогріється. Синоптики радять тепліше вдягатися, її ґудзики.'.replace(
    '’',
    '',
  ),
  'uk',
] as const;

const SAMPLES: Readonly<Record<string, readonly [title: string, body: string, lang: string]>> = {
  'utf-8': JAPANESE,
  'utf-16le': GERMAN,
  'utf-16be': RUSSIAN,
  ibm866: RUSSIAN,
  'iso-8859-2': POLISH,
  'iso-8859-3': MALTESE,
  'iso-8859-4': LATVIAN,
  'iso-8859-5': RUSSIAN,
  'iso-8859-6': ARABIC,
  'iso-8859-7': GREEK,
  'iso-8859-8': HEBREW,
  'iso-8859-8-i': HEBREW,
  'iso-8859-10': SAMI,
  'iso-8859-13': LATVIAN,
  'iso-8859-14': WELSH,
  'iso-8859-15': GERMAN,
  'iso-8859-16': ROMANIAN,
  'koi8-r': RUSSIAN,
  'koi8-u': UKRAINIAN,
  macintosh: GERMAN,
  'windows-874': THAI,
  'windows-1250': POLISH,
  'windows-1251': RUSSIAN,
  'windows-1252': GERMAN,
  'windows-1253': GREEK,
  'windows-1254': TURKISH,
  'windows-1255': HEBREW,
  'windows-1256': ARABIC,
  'windows-1257': LATVIAN,
  'windows-1258': VIETNAMESE,
  'x-mac-cyrillic': RUSSIAN,
  gbk: SIMPLIFIED,
  gb18030: SIMPLIFIED,
  big5: TRADITIONAL,
  'euc-jp': JAPANESE,
  'iso-2022-jp': JAPANESE,
  shift_jis: JAPANESE,
  'euc-kr': KOREAN,
};

export const CHARSET_SAMPLES: readonly CharsetSample[] = Object.entries(SAMPLES).map(
  ([charset, [title, body, lang]]) => ({ charset, title, body, lang }),
);
