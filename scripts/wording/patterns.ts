/** Wording that the project does not use, and what to write instead. CONTRIBUTING.md explains the style. */

/** The kinds of prose: doc comments, other comments, Markdown, and texts that people read. */
export type ProseKind = 'doc' | 'comment' | 'markdown' | 'text';

export interface WordingPattern {
  name: string;
  pattern: RegExp;
  advice: string;
  /** The kinds it applies to; all if absent. */
  kinds?: readonly ProseKind[];
}

/** At most this many characters in a line with a comment, its indentation included. */
export const MAX_COMMENT_LINE = 110;

export const LONG_LINE: Pick<WordingPattern, 'name' | 'advice'> = {
  name: 'long comment line',
  advice: `wrap it at ${MAX_COMMENT_LINE} characters`,
};

const word = (name: string, pattern: RegExp, advice: string): WordingPattern => ({ name, pattern, advice });

export const PATTERNS: readonly WordingPattern[] = [
  {
    name: 'doc comment that opens with a question word',
    pattern: /^(?:What|Whether|How|Who|Whom|Whose|Where|Which)\b/,
    advice: 'start with the action ("Returns …", "Parses …"), the thing ("The …"), or "True if …"',
    kinds: ['doc'],
  },
  word('told', /\b(?:told|untold)\b/i, 'write reported, returned, sent, or set'),
  word('mend', /\bmend(?:s|ed|ing)?\b/i, 'write fix, repair or correct'),
  word('give up', /\b(?:give|gives|gave|given|giving) up\b/i, 'write abandon, abort, time out or release'),
  word('the door', /\bthe (?:only )?doors?\b/i, 'write interface, entry point, or the name of the module'),
  word('whoever', /\bwho(?:m)?ever\b/i, 'write the client, the caller or the user'),
  word('nobody', /\bnobody\b/i, 'write no client, no caller, or what does not happen'),
  word('somebody', /\bsomebody\b/i, 'write a client, a caller or a user'),
  word('anybody', /\banybody\b/i, 'write any client, any caller or any user'),
  word('who asks', /\bwho asks\b/i, 'write the client or the caller'),
  word(
    'stands in for',
    /\b(?:stand|stands|stood|standing)[ -]in(?:s)? for\b/i,
    'write replaces or represents',
  ),
  word('at rest', /\bat rest\b/i, 'write stored or idle'),
  word('has an end', /\b(?:has|have) an end\b/i, 'write ends, is bounded or expires'),
  word('one an address', /\bone an? (?:address|host|line|key|account)\b/i, 'write one per …'),
  word('look-up', /\blook-ups?\b/i, 'write lookup'),
  word('e-mail', /\be-mails?\b/i, 'write email'),
  {
    name: 'British spelling',
    pattern: new RegExp(
      String.raw`\b(?:` +
        [
          '(?:mis)?behaviour\\w*|colour\\w*|neighbour\\w*|honour\\w*|favour\\w*|labour\\w*',
          '(?:\\w*(?:serial|normal|initial|recogn|author|organ|optim|synchron|minim|maxim|summar|util|general|special|final|real|capital|token|memor|categor|custom|emphas|visual|random|canonical|parallel|local|penal|stabil|standard|sanit))is(?:e|es|ed|er|ers|ing|ation|ations)',
          'analyse[sd]?|analysing|centre[sd]?|licence[sd]?|catalogue[sd]?|grey|artefacts?|cancelled|cancelling',
          'labelled|labelling|modelled|modelling|travell\\w+|whilst|amongst|spelt|learnt|burnt|programme[sd]?',
        ].join('|') +
        String.raw`)\b`,
      'i',
    ),
    advice: 'use the American spelling',
  },
];
