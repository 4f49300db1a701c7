import { requireNonEmpty, text, toggle } from './setting.js'

/** Where the records of a relay are. */
export const locationSettings = {
  data: text('Data directory of the relay.', {
    value: 'DIR',
    otherwise: '~/.local/share/smsrelay on Linux',
    example: '/var/lib/smsrelay',
    env: 'SMSRELAY_DATA_DIR',
    parse: value => requireNonEmpty(value, 'data directory'),
  }),
  database: text('PostgreSQL database of the relay, instead of a data directory.', {
    value: 'URL',
    otherwise: 'a data directory',
    example: 'postgres://smsrelay@db.example.com/relay',
    env: 'SMSRELAY_DATABASE_URL',
    isSecret: true,
  }),
  migrate: toggle('Create the tables in an empty database at the start.', true),
}
