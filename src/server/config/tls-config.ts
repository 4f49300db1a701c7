import { RelayError } from '../../errors.js'

export interface TlsSettings {
  /** Setting: file with the relay's certificate and its chain, PEM. @default no TLS */
  readonly tlsCert?: string | undefined
  /** Setting: file with the private key of the relay's certificate, PEM. */
  readonly tlsKey?: string | undefined
}

export interface TlsConfig {
  readonly cert: string
  readonly key: string
}

/**
 * Checks a certificate and its key; undefined without both. Throws `usage`.
 * @param name first word of the flags that set them
 */
export function parseTlsConfig(
  name: 'tls' | 'smtp',
  cert: string | undefined,
  key: string | undefined,
): TlsConfig | undefined {
  if (cert === undefined && key === undefined) return undefined
  if (cert !== undefined && cert !== '' && key !== undefined && key !== '') return { cert, key }
  throw new RelayError('usage', `--${name}-cert and --${name}-key belong together.`, {
    hint: 'Set both, or neither.',
  })
}
