import { string } from '@oclif/core/flags'

const helpGroup = 'TLS'

export const tlsFlags = {
  'tls-cert': string({
    description: 'Certificate with its chain (PEM); it is read again when the file changes.',
    defaultHelp: async () => 'no TLS',
    env: 'SMSRELAY_TLS_CERT',
    helpValue: 'FILE',
    helpGroup,
  }),
  'tls-key': string({
    description: 'Private key of the certificate (PEM).',
    env: 'SMSRELAY_TLS_KEY',
    helpValue: 'FILE',
    helpGroup,
  }),
}

export function toTlsSettings(flags: {
  readonly 'tls-cert'?: string | undefined
  readonly 'tls-key'?: string | undefined
}) {
  return { tlsCert: flags['tls-cert'], tlsKey: flags['tls-key'] }
}
