import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { RelayError } from '../../errors.js'

export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** Reads the mail server's TLS certificate and its key from files. Throws `configuration`. */
export async function readCertificate(files: Certificate): Promise<Certificate> {
  const certificate = { cert: await readPemFile(files.cert), key: await readPemFile(files.key) }
  try {
    createSecureContext(certificate)
    return certificate
  } catch (cause) {
    throw new RelayError(
      'configuration',
      `${files.cert} and ${files.key} are not a certificate and its key, in PEM.`,
      { hint: 'The key must belong to the first certificate and have no passphrase.', cause },
    )
  }
}

async function readPemFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new RelayError('configuration', `Cannot read ${file}: ${(cause as Error).message}.`, {
      cause,
    })
  }
}
