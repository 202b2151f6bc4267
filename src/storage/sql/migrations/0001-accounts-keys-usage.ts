import { sql, type Kysely } from 'kysely';

/** Creates accounts, API keys and usage. An account is deleted with its keys; its usage in steps. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createAccounts(db);
  await createApiKeys(db);
  await createUsage(db);
}

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('accounts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('email_verified', 'integer', (column) => column.notNull())
    .addColumn('plan', 'text', (column) => column.notNull())
    .addColumn('admin', 'integer', (column) => column.notNull())
    .addColumn('disabled', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('accounts_by_creation').on('accounts').columns(['created_at', 'id']).execute();
  await db.schema.createIndex('accounts_by_role').on('accounts').column('admin').execute();
}

async function createApiKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('limit_id', 'text', (column) => column.notNull())
    .addColumn('secret_hash', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('prefix', 'text', (column) => column.notNull())
    .addColumn('last_four', 'text', (column) => column.notNull())
    .addColumn('operations', 'text')
    .addColumn('client_cidrs', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .addColumn('rotated_to', 'text')
    .execute();
  await db.schema
    .createIndex('api_keys_by_account')
    .on('api_keys')
    .columns(['account_id', 'created_at'])
    .execute();
  await db.schema
    .createTable('key_changes')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .execute();
  await sql`insert into key_changes (id, revision) values (1, 0)`.execute(db);
}

async function createUsage(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('usage_counts')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('bucket_size', 'text', (column) => column.notNull())
    .addColumn('bucket_start', 'bigint', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('status_class', 'text', (column) => column.notNull())
    .addColumn('requests', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_counts_key', [
      'account_id',
      'bucket_size',
      'bucket_start',
      'key_id',
      'operation',
      'status_class',
    ])
    .execute();
  await db.schema
    .createIndex('usage_counts_by_age')
    .on('usage_counts')
    .columns(['bucket_size', 'bucket_start'])
    .execute();
  await db.schema
    .createTable('usage_latencies')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('bucket_start', 'bigint', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('ms', 'integer', (column) => column.notNull())
    .addColumn('requests', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_latencies_key', ['account_id', 'bucket_start', 'operation', 'ms'])
    .execute();
  await db.schema
    .createIndex('usage_latencies_by_age')
    .on('usage_latencies')
    .column('bucket_start')
    .execute();
  await db.schema
    .createTable('usage_requests')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('ms', 'integer', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('usage_requests_by_account')
    .on('usage_requests')
    .columns(['account_id', 'id'])
    .execute();
}
