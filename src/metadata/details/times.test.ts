import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFasterThan } from '../../../test/support/cpu-time.ts';
import { parseDate } from './times.ts';

/** Texts and the date in ISO 8601 that they are, by the property that they show. */
const DATES: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  'ISO 8601 is returned with seconds, and with its own offset': {
    '2026-03-05T10:00:00+01:00': '2026-03-05T10:00:00+01:00',
    '2026-03-05T10:00+0100': '2026-03-05T10:00:00+01:00',
    '2026-03-05T10:00:30.123456-08': '2026-03-05T10:00:30.123456-08:00',
    '2026-03-05t10:00:00,5z': '2026-03-05T10:00:00.5Z',
    '2026-03-05 10:00:00 +00:00': '2026-03-05T10:00:00+00:00',
    '2026-03-05T10:00:00+01:00[Europe/Berlin]': '2026-03-05T10:00:00+01:00',
    '20260305T100000Z': '2026-03-05T10:00:00Z',
    '20260305T1000+0100': '2026-03-05T10:00:00+01:00',
  },
  'a date is as precise as it is written, without an invented time or zone': {
    '2026': '2026',
    '2026-03': '2026-03',
    'March 2026': '2026-03',
    '2026-03-05': '2026-03-05',
    '20260305': '2026-03-05',
    '2026-03-05 10:00': '2026-03-05T10:00:00',
    '20260305100000': '2026-03-05T10:00:00',
    '202603051000': '2026-03-05T10:00:00',
  },
  'the year comes first, or the month is named: the order is known': {
    '2026/3/5': '2026-03-05',
    '2026.03.05 9:05': '2026-03-05T09:05:00',
    '2026年3月5日 10:30': '2026-03-05T10:30:00',
    '2026년 3월 5일': '2026-03-05',
    '5 March 2026': '2026-03-05',
    'March 5th, 2026': '2026-03-05',
    'Thursday, Mar. 5, 2026 at 10:00 p.m. EST': '2026-03-05T22:00:00-05:00',
    '5-Sep-2026': '2026-09-05',
    'Sept 5, 2026 12:05 AM': '2026-09-05T00:05:00',
  },
  'HTTP, mail and system dates': {
    'Thu, 05 Mar 2026 10:00:00 GMT': '2026-03-05T10:00:00Z',
    'Thu, 5 Mar 2026 10:00 -0330': '2026-03-05T10:00:00-03:30',
    'Thu Mar  5 10:00:00 2026': '2026-03-05T10:00:00',
    'Thu Mar 5 10:00:00 PDT 2026': '2026-03-05T10:00:00-07:00',
    'Thu Mar 05 2026 10:00:00 GMT+0100 (Central European Standard Time)': '2026-03-05T10:00:00+01:00',
    '2026-03-05 10:00:00 UTC': '2026-03-05T10:00:00Z',
  },
  'seconds and milliseconds since 1970': {
    '1772704800': '2026-03-05T10:00:00Z',
    '1772704800123': '2026-03-05T10:00:00.123Z',
    '999999999': '2001-09-09T01:46:39Z',
  },
  'null if the order of day and month, or the zone, has several meanings': {
    '03/05/2026': null,
    '05.03.2026': null,
    '25.03.2026': null,
    '3-5-2026': null,
    '05/03/26': null,
    '2026-03-05 10:00 CST': null,
    '2026-03-05 10:00 IST': null,
  },
  'null for what no calendar or clock has': {
    '2026-02-29': null,
    '2026-13-01': null,
    '2026-00-10': null,
    '2026-04-31T10:00': null,
    '2026-03-00': null,
    '2026-03-05T24:00:00': null,
    '2026-03-05T10:60:00': null,
    '2026-03-05T10:00:60': null,
    '2026-03-05 13:00 pm': null,
    '2026-03-05 0:30 am': null,
    '2026-03-05T10:00:00+15:00': null,
    '2026-03-05T10:00:00+01:60': null,
    '0000-00-00 00:00:00': null,
    '0001-01-01T00:00:00Z': null,
    '-0001-11-30T00:00:00+00:00': null,
    '20261305': null,
  },
  'null for other texts': {
    '': null,
    '2 days ago': null,
    yesterday: null,
    '5 mars 2026': null,
    P1D: null,
    '2026-W10-4': null,
    '2026-03-05 and later': null,
    '12345': null,
    '17727048001234567': null,
    '{{ date }}': null,
  },
};

describe('dates', () => {
  for (const [property, texts] of Object.entries(DATES)) {
    it(property, () => {
      for (const [text, iso] of Object.entries(texts)) assert.equal(parseDate(text), iso, text);
    });
  }

  it('a leap day is a date', () => {
    assert.equal(parseDate('2028-02-29'), '2028-02-29');
  });

  it('a long text is no date, and costs no time', () => {
    assert.equal(parseDate(`2026-03-05${' '.repeat(200)}10:00`), '2026-03-05T10:00:00');
    assert.equal(parseDate(`2026-03-05 10:00 (${'x'.repeat(100)})`), null);
    for (const text of ['9', ' ', '2026-03-05 ', 'Mar ', '(', '2026年'])
      assert.ok(
        isFasterThan(20, () => parseDate(text.repeat(100_000 / text.length))),
        text,
      );
  });
});
