import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseAddress, trimAddress } from './parse-address.ts';

const L63 = 'a'.repeat(63);
const DOMAIN_189 = `${L63}.${'b'.repeat(63)}.${'c'.repeat(61)}`;

/**
 * Texts and their results by RFC 5321 §4.1.2, RFC 6531 §3.3, RFC 5890 and UTS #46: the domain's A-labels,
 * `literal`, or the fault.
 */
const CASES: Record<string, [string, string][]> = {
  'Dot-string (RFC 5321 §4.1.2, RFC 5322 §3.2.3 atext)': [
    ['a@b.co', 'b.co'],
    ['A.B.C@b.co', 'b.co'],
    ...Array.from("!#$%&'*+-/=?^_`{|}~", (char): [string, string] => [`x${char}y@b.co`, 'b.co']),
    ...Array.from('(),:;<>[]\\"', (char): [string, string] => [`x${char}y@b.co`, 'local_part_characters']),
    ['x y@b.co', 'local_part_characters'],
    ['x\ty@b.co', 'local_part_characters'],
    ['x\0y@b.co', 'local_part_characters'],
    ['x\x7fy@b.co', 'local_part_characters'],
    ['x\r\ny@b.co', 'local_part_characters'],
    ['.@b.co', 'local_part_dots'],
    ['..@b.co', 'local_part_dots'],
    ['a.@b.co', 'local_part_dots'],
    ['.a@b.co', 'local_part_dots'],
    ['a..b@b.co', 'local_part_dots'],
    ['0@b.co', 'b.co'],
    ['+@b.co', 'b.co'],
    ["'@b.co", 'b.co'],
  ],
  'Quoted-string (RFC 5321 §4.1.2 qtextSMTP, quoted-pairSMTP)': [
    ['" "@b.co', 'b.co'],
    ['"."@b.co', 'b.co'],
    ['"a..b"@b.co', 'b.co'],
    ['"@"@b.co', 'b.co'],
    ['"a@b@c"@b.co', 'b.co'],
    ['"\\\\"@b.co', 'b.co'],
    ['"\\""@b.co', 'b.co'],
    ['"\\ "@b.co', 'b.co'],
    ['"\\~"@b.co', 'b.co'],
    ['"(),:;<>[]"@b.co', 'b.co'],
    ['"é"@b.co', 'b.co'],
    ['"foo bär"@x.org', 'x.org'],
    ['" é (é) "@b.co', 'b.co'],
    ['"é\tb"@b.co', 'local_part_characters'],
    ['"é\u00a0b"@b.co', 'local_part_characters'],
    ['"é \u0301"@b.co', 'local_part_characters'],
    ['é b@b.co', 'local_part_characters'],
    ['""@b.co', 'empty_local_part'],
    ['"@b.co', 'local_part_quotes'],
    ['"a@b.co', 'local_part_quotes'],
    ['a"@b.co', 'local_part_characters'],
    ['"a"b@b.co', 'local_part_quotes'],
    ['"a".b@b.co', 'local_part_quotes'],
    ['a."b"@b.co', 'local_part_characters'],
    ['"a""b"@b.co', 'local_part_quotes'],
    ['"\\"@b.co', 'local_part_quotes'],
    ['"a\\"@b.co', 'local_part_quotes'],
    ['"a\tb"@b.co', 'local_part_characters'],
    ['"a\nb"@b.co', 'local_part_characters'],
    ['"\\\t"@b.co', 'local_part_characters'],
    ['"\\é"@b.co', 'local_part_characters'],
    ['"\\\x7f"@b.co', 'local_part_characters'],
    ['"\x1f"@b.co', 'local_part_characters'],
    ['"a\u00a0b"@b.co', 'local_part_characters'],
  ],
  'UTF-8 local parts (RFC 6531 §3.3, NFC, nothing invisible)': [
    ['é@b.co', 'b.co'],
    ['e\u0301@b.co', 'local_part_characters'],
    ['用户@b.co', 'b.co'],
    ['δοκιμή@b.co', 'b.co'],
    ['उपयोगकर्ता@b.co', 'b.co'],
    ['משתמש@b.co', 'b.co'],
    ['مستخدم@b.co', 'b.co'],
    ['😀@b.co', 'b.co'],
    ['a😀b.c@b.co', 'b.co'],
    ['\u0301a@b.co', 'local_part_characters'],
    ['a.\u0301b@b.co', 'local_part_characters'],
    ['"\u0301"@b.co', 'local_part_characters'],
    ['a\u200bb@b.co', 'local_part_characters'],
    ['a\u200db@b.co', 'local_part_characters'],
    ['a\u00adb@b.co', 'local_part_characters'],
    ['a\ufeffb@b.co', 'local_part_characters'],
    ['a\u202eb@b.co', 'local_part_characters'],
    ['a\u2066b@b.co', 'local_part_characters'],
    ['a\u2028b@b.co', 'local_part_characters'],
    ['a\u3000b@b.co', 'local_part_characters'],
    ['a\u00a0b@b.co', 'local_part_characters'],
    ['a\u0085b@b.co', 'local_part_characters'],
    ['a\ue000b@b.co', 'local_part_characters'],
    ['a\ufffeb@b.co', 'local_part_characters'],
    ['a\u{e0041}b@b.co', 'local_part_characters'],
    ['a\u3164b@b.co', 'local_part_characters'],
    ['a\ud800b@b.co', 'local_part_characters'],
    ['a\udc00@b.co', 'local_part_characters'],
    ['a。b@b.co', 'b.co'],
    ['é..é@b.co', 'local_part_dots'],
    ['é é@b.co', 'local_part_characters'],
  ],
  'Domain (RFC 5321 §4.1.2 sub-domain, Let-dig, Ldh-str)': [
    ['a@B.CO', 'b.co'],
    ['a@ABCDEFGHIJKLMNOPQRSTUVWXYZ.co', 'abcdefghijklmnopqrstuvwxyz.co'],
    ['a@1.co', '1.co'],
    ['a@1-1.co', '1-1.co'],
    ['a@a--b.co', 'a--b.co'],
    ['a@ab--cd.co', 'ab--cd.co'],
    ['a@a.b.c.d.e.f.co', 'a.b.c.d.e.f.co'],
    ['a@b.c1', 'b.c1'],
    ['a@b.1c', 'b.1c'],
    ['a@b.x', 'b.x'],
    ['a@b.1', 'numeric_top_level_domain'],
    ['a@1.2.3.4', 'numeric_top_level_domain'],
    ['a@b.co.123', 'numeric_top_level_domain'],
    ['a@b', 'domain_without_dot'],
    ['a@localhost', 'domain_without_dot'],
    ['a@', 'empty_domain'],
    ['a@.', 'domain_dots'],
    ['a@.co', 'domain_dots'],
    ['a@b..co', 'domain_dots'],
    ['a@b.co.', 'trailing_dot'],
    ['a@b.co..', 'domain_dots'],
    ['a@-b.co', 'domain_hyphens'],
    ['a@b-.co', 'domain_hyphens'],
    ['a@b.-co', 'domain_hyphens'],
    ['a@b.co-', 'domain_hyphens'],
    ['a@-.co', 'domain_hyphens'],
    ...Array.from('_!#$%&\'*+/=?^`{|}~(),:;<>[]\\" \t\0\n', (char): [string, string] => [
      `a@x${char}y.co`,
      'domain_characters',
    ]),
  ],
  'Internationalized domains (RFC 5890, UTS #46 non-transitional)': [
    ['a@münchen.de', 'xn--mnchen-3ya.de'],
    ['a@MÜNCHEN.DE', 'xn--mnchen-3ya.de'],
    ['a@mu\u0308nchen.de', 'xn--mnchen-3ya.de'],
    ['a@straße.de', 'xn--strae-oqa.de'],
    ['a@βόλος.com', 'xn--nxasmm1c.com'],
    ['a@пример.рф', 'xn--e1afmkfd.xn--p1ai'],
    ['a@例え。テスト', 'xn--r8jz45g.xn--zckzah'],
    ['a@例え．テスト', 'xn--r8jz45g.xn--zckzah'],
    ['a@例え｡テスト', 'xn--r8jz45g.xn--zckzah'],
    ['a@xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
    ['a@XN--MNCHEN-3YA.de', 'xn--mnchen-3ya.de'],
    ['a@ｂ.ｃｏ', 'b.co'],
    ['a@①.co', '1.co'],
    ['a@b.①', 'numeric_top_level_domain'],
    ['a@ශ්\u200dරී.com', 'xn--10cl1a0b660p.com'],
    ['a@xn--.com', 'domain_hyphens'],
    ['a@xn--a.com', 'domain_idna'],
    ['a@xn--0.com', 'domain_idna'],
    ['a@xn--abc.com', 'domain_idna'],
    ['a@xn--zzzzzzzzzzzz.com', 'domain_idna'],
    ['a@a\u200db.com', 'domain_idna'],
    ['a@a\u200bb.com', 'domain_characters'],
    ['a@a\u00adb.com', 'domain_characters'],
    ['a@a\u2060b.com', 'domain_characters'],
    ['a@a\ufe0fb.com', 'domain_characters'],
    ['a@a\ufeffb.com', 'domain_characters'],
    ['a@\u0301a.com', 'domain_idna'],
    ['a@אa.com', 'domain_idna'],
    ['a@1א.com', 'domain_idna'],
    ['a@א1.com', 'xn--1-zhc.com'],
    ['a@a％41.com', 'domain_idna'],
    ['a@a＿b.com', 'domain_idna'],
    ['a@a＠b.com', 'domain_idna'],
    ['a@a／b.com', 'domain_idna'],
    ['a@a\ud800.com', 'domain_idna'],
    ['a@é\ue000.com', 'domain_idna'],
    ['a@é-.com', 'domain_hyphens'],
    ['a@-é.com', 'domain_hyphens'],
    ['a@é--b.com', 'xn----b-9la.com'],
    ['a@éa--b.com', 'domain_hyphens'],
    ['a@xn----9fa.com', 'domain_hyphens'],
    ['a@é..com', 'domain_idna'],
    ['a@é', 'domain_without_dot'],
  ],
  'Address literals (RFC 5321 §4.1.3)': [
    ['a@[0.0.0.0]', 'literal'],
    ['a@[1.2.3.4]', 'literal'],
    ['a@[001.02.3.4]', 'literal'],
    ['a@[256.1.1.1]', 'malformed_address_literal'],
    ['a@[1.2.3]', 'malformed_address_literal'],
    ['a@[1.2.3.4.5]', 'malformed_address_literal'],
    ['a@[1.2.3.1000]', 'malformed_address_literal'],
    ['a@[1.2.3.]', 'malformed_address_literal'],
    ['a@[ 1.2.3.4]', 'malformed_address_literal'],
    ['a@[]', 'malformed_address_literal'],
    ['a@[', 'malformed_address_literal'],
    ['a@[1.2.3.4', 'malformed_address_literal'],
    ['a@[1.2.3.4].com', 'malformed_address_literal'],
    ['a@[IPv6:2001:db8::1]', 'literal'],
    ['a@[ipv6:2001:DB8::1]', 'literal'],
    ['a@[IPv6:1:2:3:4:5:6:7:8]', 'literal'],
    ['a@[IPv6:::]', 'literal'],
    ['a@[IPv6:::1]', 'literal'],
    ['a@[IPv6:1::]', 'literal'],
    ['a@[IPv6:1:2:3:4:5:6::]', 'literal'],
    ['a@[IPv6:1:2:3:4:5:6:7::]', 'malformed_address_literal'],
    ['a@[IPv6:::2:3:4:5:6:7:8]', 'malformed_address_literal'],
    ['a@[IPv6:1:2:3:4:5:6:7]', 'malformed_address_literal'],
    ['a@[IPv6:1:2:3:4:5:6:7:8:9]', 'malformed_address_literal'],
    ['a@[IPv6:1::2::3]', 'malformed_address_literal'],
    ['a@[IPv6:12345::]', 'malformed_address_literal'],
    ['a@[IPv6:g::]', 'malformed_address_literal'],
    ['a@[IPv6:::ffff:1.2.3.4]', 'literal'],
    ['a@[IPv6:::1.2.3.4]', 'literal'],
    ['a@[IPv6:1:2:3:4:5:6:1.2.3.4]', 'literal'],
    ['a@[IPv6:1:2:3:4::1.2.3.4]', 'literal'],
    ['a@[IPv6:1:2:3:4:5::1.2.3.4]', 'malformed_address_literal'],
    ['a@[IPv6:1:2:3:4:5:1.2.3.4]', 'malformed_address_literal'],
    ['a@[IPv6:1.2.3.4]', 'malformed_address_literal'],
    ['a@[IPv6:1::2:1.2.3.4]', 'literal'],
    ['a@[IPv6:1:::1.2.3.4]', 'malformed_address_literal'],
    ['a@[IPv6:1:2:3:4:::255.255.255.255]', 'malformed_address_literal'],
    ['a@[IPv6:::::1.2.3.4]', 'malformed_address_literal'],
    ['a@[IPv6:::1.2.3.4:5]', 'malformed_address_literal'],
    ['a@[IPv6:fe80::1%eth0]', 'malformed_address_literal'],
    ['a@[2001:db8::1]', 'malformed_address_literal'],
    ['a@[tag:content]', 'malformed_address_literal'],
  ],
  'Lengths in octets (RFC 5321 §4.5.3.1, RFC 1035 §2.3.4)': [
    [`${'a'.repeat(64)}@b.co`, 'b.co'],
    [`${'a'.repeat(65)}@b.co`, 'local_part_too_long'],
    [`${'é'.repeat(32)}@b.co`, 'b.co'],
    [`${'é'.repeat(33)}@b.co`, 'local_part_too_long'],
    [`"${'a'.repeat(62)}"@b.co`, 'b.co'],
    [`"${'a'.repeat(63)}"@b.co`, 'local_part_too_long'],
    [`a@${L63}.co`, `${L63}.co`],
    [`a@${L63}a.co`, 'label_too_long'],
    [`a@${'é'.repeat(60)}.co`, 'domain_idna'],
    [`${'a'.repeat(64)}@${DOMAIN_189}`, DOMAIN_189],
    [`${'a'.repeat(64)}@${DOMAIN_189}x`, 'address_too_long'],
    [`a@${L63}.${L63}.${L63}.${L63}`, 'domain_too_long'],
    [`${'a'.repeat(70)}@${DOMAIN_189}`, 'local_part_too_long'],
    ['a'.repeat(300), 'missing_at'],
  ],
  'One at sign, outside quotes': [
    ['', 'missing_at'],
    ['a', 'missing_at'],
    ['b.co', 'missing_at'],
    ['@', 'empty_local_part'],
    ['@b.co', 'empty_local_part'],
    ['a@@b.co', 'local_part_characters'],
    ['a@b@c.co', 'local_part_characters'],
    ['a＠b.co', 'missing_at'],
    ['<a@b.co>', 'local_part_characters'],
    ['Ann <a@b.co>', 'local_part_characters'],
    ['a@b.co (Ann)', 'domain_characters'],
    ['(Ann)a@b.co', 'local_part_characters'],
    ['mailto:a@b.co', 'local_part_characters'],
    [' a@b.co', 'local_part_characters'],
    ['a@b.co ', 'domain_characters'],
    ['a@b.co\n', 'domain_characters'],
    ['a@b.co,c@d.co', 'local_part_characters'],
  ],
};

describe('parseAddress', () => {
  for (const [rule, rows] of Object.entries(CASES)) {
    it(`follows ${rule}`, () => {
      const got = rows.map(([text]) => {
        const address = parseAddress(text);
        return [text, typeof address === 'string' ? address : (address.domain ?? 'literal')];
      });
      assert.deepEqual(got, rows);
    });
  }

  it('has more than 200 cases', () => {
    assert.ok(Object.values(CASES).flat().length > 200);
  });

  it('returns the local part byte for byte', () => {
    const address = parseAddress('"A\\ b"@B.Co');
    assert.deepEqual(address, { localPart: '"A\\ b"', quoted: true, domain: 'b.co', literal: null });
  });
});

const ZERO_WIDTH_SPACE = 0x200b;
const NEXT_LINE = 0x85;
const BYTE_ORDER_MARK = 0xfeff;

/** Unicode White_Space, U+200B and U+FEFF. */
function isBlank(unit: number): boolean {
  return (
    /\p{White_Space}/u.test(String.fromCharCode(unit)) ||
    [ZERO_WIDTH_SPACE, NEXT_LINE, BYTE_ORDER_MARK].includes(unit)
  );
}

describe('trimAddress', () => {
  it('removes white space and zero-width spaces, alone and between each other, and nothing else', () => {
    for (let unit = 0; unit <= 0xffff; unit += 1) {
      const char = String.fromCharCode(unit);
      const name = unit.toString(16);
      const [alone, between] = [`${char}a${char}`, `\u200b${char}\u200ba@b${char}\u200b${char}`];
      assert.equal(trimAddress(alone), isBlank(unit) ? 'a' : alone, name);
      assert.equal(
        trimAddress(between),
        isBlank(unit) ? 'a@b' : `${char}\u200ba@b${char}\u200b${char}`,
        name,
      );
    }
  });

  it('keeps what is inside, and is empty without more', () => {
    assert.equal(trimAddress(' a \u200b b '), 'a \u200b b');
    assert.equal(trimAddress(' \u200b\u0085 '), '');
    assert.equal(trimAddress(''), '');
  });
});
