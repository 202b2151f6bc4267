/**
 * The composition root: `createApp` opens every part in order and connects them. Only this module and the
 * command line know the configuration, and no other module imports it, except `main.ts`.
 */
export { type App, type AppOverrides, createApp, type Listening, StartError } from './create-app.ts';
export { countUncaughtErrors, type FatalReason, recordUncaughtError } from './uncaught-errors.ts';
