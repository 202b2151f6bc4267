/** The user name and the password of a URL, also of one without a scheme or with backslashes. */
const CREDENTIALS = /([/\\]{2})[^\s/\\?#]*@/g;

/** Removes the user names and passwords of the URLs in a text, which is shown to others than its author. */
export function removeCredentials(text: string): string {
  return text.replace(CREDENTIALS, '$1');
}
