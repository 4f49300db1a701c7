import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type ConnectionOptions, createSecureContext } from 'node:tls'
import { errorText } from '../../../../errors.js'
import { databaseUrlError } from './database-url-error.js'

export interface TlsParameters {
  readonly sslmode?: string | undefined
  readonly sslrootcert?: string | undefined
  readonly sslcert?: string | undefined
  readonly sslkey?: string | undefined
}

/**
 * Reads the certificates that a database URL names; false without encryption. Certificate and host
 * name of the server are checked with every mode that encrypts, except `no-verify`. Throws `usage`.
 */
export async function readTlsOptions({
  sslmode = 'disable',
  sslrootcert,
  sslcert,
  sslkey,
}: TlsParameters): Promise<ConnectionOptions | false> {
  if (sslmode === 'disable') return false
  if (!['no-verify', 'require', 'verify-ca', 'verify-full'].includes(sslmode)) {
    throw databaseUrlError(
      'The parameter sslmode of the database URL is unknown.',
      'Use verify-full, no-verify or disable.',
    )
  }
  return {
    ...(sslrootcert === undefined ? {} : { ca: await readAuthority(sslrootcert) }),
    ...(sslcert === undefined && sslkey === undefined ? {} : await readPair(sslcert, sslkey)),
    rejectUnauthorized: sslmode !== 'no-verify',
  }
}

async function readAuthority(path: string): Promise<string> {
  const ca = await readPemFile(path)
  try {
    new X509Certificate(ca)
    return ca
  } catch (cause) {
    throw databaseUrlError(`The file ${path} contains no certificate.`, errorText(cause))
  }
}

async function readPair(certFile = '', keyFile = ''): Promise<{ cert: string; key: string }> {
  if (certFile === '' || keyFile === '') {
    throw databaseUrlError('The database URL needs both sslcert and sslkey, or neither.')
  }
  const pair = { cert: await readPemFile(certFile), key: await readPemFile(keyFile) }
  try {
    createSecureContext(pair)
    return pair
  } catch (cause) {
    throw databaseUrlError(
      `${certFile} and ${keyFile} are not a certificate and its key, in PEM.`,
      errorText(cause),
    )
  }
}

async function readPemFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw databaseUrlError(`The file ${path} of the database URL cannot be read.`, errorText(cause))
  }
}
