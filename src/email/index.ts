/**
 * Validates email addresses: syntax (RFC 5321, RFC 6531), domain facts, DNS facts through an injected lookup,
 * and a suggestion for a likely typo. Never opens a socket, sends mail or reads the clock.
 */
export { isUsableExchange } from './domain/mail-verdict.ts';
export { parseDomain } from './domain/parse-domain.ts';
export { EmailCache } from './email-cache.ts';
export { EMAIL_OPTIONS, type ValidateEmailRequest } from './email-options.ts';
export type { EmailDetails, EmailReason, EmailReport } from './email-report.ts';
export { listEvidence } from './lists/disposable-domain.ts';
export { type DomainLists, loadDomainLists } from './lists/domain-lists.ts';
export type { CurrentLists, CurrentListsOptions } from './lists/open-current-lists.ts';
export { loadSavedLists, openCurrentLists } from './lists/open-current-lists.ts';
export { acceptCopy, type FetchList, type FetchResult } from './lists/stored-lists.ts';
export { type ListStatus, loadListStatus, type RefreshOutcome } from './lists/stored-lists.ts';
export { OperatorListError } from './lists/parse-list.ts';
export type { LookupMail, MailExchange, MailFacts } from './lookup-mail.ts';
export type { LookupTxt, TxtFacts } from './lookup-mail.ts';
export { validateEmail, type ValidateEmailDeps } from './validate-email.ts';
export { type CompletedReport, validateEmailsAsCompleted } from './validate-emails.ts';
export { validateEmails, type ValidateEmailsOptions } from './validate-emails.ts';
