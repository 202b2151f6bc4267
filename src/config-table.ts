/**
 * Every environment variable of the service: name, type, default, one sentence. docs/operate/configuration.md
 * is generated from this table.
 */
import { ACCOUNT_SETTINGS } from './config-table-accounts.ts';
import { EGRESS_SETTINGS } from './config-table-egress.ts';
import { OPERATION_SETTINGS } from './config-table-operations.ts';
import { LISTENER_SETTINGS, SERVER_SETTINGS } from './config-table-server.ts';
import { STORAGE_SETTINGS } from './config-table-storage.ts';
import { TRACE_SETTINGS } from './config-table-traces.ts';

/** The order is that of docs/operate/configuration.md. */
export const SETTINGS = {
  ...LISTENER_SETTINGS,
  ...STORAGE_SETTINGS,
  ...SERVER_SETTINGS,
  ...EGRESS_SETTINGS,
  ...OPERATION_SETTINGS,
  ...ACCOUNT_SETTINGS,
  ...TRACE_SETTINGS,
} as const;
