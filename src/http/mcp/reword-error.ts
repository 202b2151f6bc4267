/** Parts of messages that are about the query of a URL, and what they are for the arguments of a tool. */
const REWORDED: readonly (readonly [part: RegExp, text: string])[] = [
  [
    /The (\w+) parameter is (missing|empty): send [^"]* as \?\w+=…, percent-encoded\./,
    'The argument $1 is $2.',
  ],
  [/ If it belongs to the url, percent-encode the url: an unencoded & ends it\./, ''],
];

/** Returns the error body of an operation in the words of a tool: arguments are not percent-encoded. */
export function rewordError(body: string): string {
  return REWORDED.reduce((text, [part, reworded]) => text.replace(part, reworded), body);
}
