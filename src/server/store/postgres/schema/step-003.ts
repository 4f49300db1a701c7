import type { MigrationStep } from './migration-step.js'

/** Only indexes: programs of version 2 do not notice them. */
export const step003: MigrationStep = {
  version: 3,
  summary: 'Index accounts, secret URLs and mailboxes for pages, and received texts by number.',
  oldestProgram: 2,
  indexes: [
    // Conditions and order are those of the statements in `postgres-accounts`: the planner has no
    // statistics of the conditions, and would sort all accounts.
    {
      name: 'account_owner',
      table: 'account',
      on: "(created_at, id) where json_typeof(doc -> 'ownerSince') is distinct from 'null'",
    },
    {
      name: 'account_at_most_once',
      table: 'account',
      on: "(created_at, id) where doc ->> 'mode' = 'at-most-once'",
    },
    { name: 'account_order', table: 'account', on: '(created_at, id)' },
    { name: 'secret_url_order', table: 'secret_url', on: '(account, created_at, id)' },
    { name: 'mailbox_order', table: 'mailbox', on: '(account, created_at, id)' },
    { name: 'received_text_number', table: 'received_text', on: '(account, number, id)' },
  ],
  text: '',
}
