// TLS of the HTTP server; the mail server uses the certificate, too.
//
// - tls-certificate reads a certificate with its key, and reads them again when they change.
// - tls-connection starts TLS on a connection that the HTTP server has accepted.
//
// A connection keeps the certificate that it began with.
import { X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { createSecureContext, type SecureContext } from 'node:tls'
import { RelayError } from '../../errors.js'

/** Names of the files with a certificate, its chain included, and its key (PEM). */
export interface CertificateFiles {
  readonly cert: string
  readonly key: string
}

export interface Certificate {
  readonly cert: string
  readonly key: string
  /** For connections that begin from now on. */
  readonly context: SecureContext
  /** End of the certificate's validity, in milliseconds since the epoch. */
  readonly expiresAt: number
}

/** A TLS certificate that follows its files; an invalid pair in them never replaces it. */
export class WatchedCertificate {
  #files: CertificateFiles
  #version: string
  #current: Certificate
  readonly #watchers: ((certificate: Certificate) => void)[] = []

  private constructor(files: CertificateFiles, version: string, current: Certificate) {
    this.#files = files
    this.#version = version
    this.#current = current
  }

  static async open(files: CertificateFiles): Promise<WatchedCertificate> {
    const version = await readVersion(files)
    return new WatchedCertificate(files, version, await readCertificate(files))
  }

  get current(): Certificate {
    return this.#current
  }

  /** Calls `watcher` with the present certificate, and again with each that replaces it. */
  watch(watcher: (certificate: Certificate) => void): void {
    this.#watchers.push(watcher)
    watcher(this.#current)
  }

  /**
   * Reads the files if they have changed since they were last read, so that an invalid pair is one
   * error. Resolves to whether the certificate is another one. Throws `configuration`.
   */
  async refresh(): Promise<boolean> {
    const version = await readVersion(this.#files)
    if (version === this.#version) return false
    return await this.load(this.#files, version)
  }

  /** Reads a certificate and key, also from other files. Otherwise like {@link refresh}. */
  async load(files: CertificateFiles, version?: string): Promise<boolean> {
    // Before the files are read: a change meanwhile is seen at the next look.
    this.#version = version ?? (await readVersion(files))
    const next = await readCertificate(files)
    const { cert, key } = this.#current
    this.#files = files
    if (next.cert === cert && next.key === key) return false
    this.#current = next
    for (const watcher of this.#watchers) watcher(next)
    return true
  }
}

export async function readCertificate(files: CertificateFiles): Promise<Certificate> {
  const pair = { cert: await readPemFile(files.cert), key: await readPemFile(files.key) }
  try {
    const { validTo } = new X509Certificate(pair.cert)
    return { ...pair, context: createSecureContext(pair), expiresAt: Date.parse(validTo) }
  } catch (cause) {
    throw new RelayError(
      'configuration',
      `${files.cert} and ${files.key} are not a certificate and its key, in PEM.`,
      { hint: 'The key must belong to the first certificate and have no passphrase.', cause },
    )
  }
}

async function readVersion({ cert, key }: CertificateFiles): Promise<string> {
  return `${await readFileVersion(cert)} ${await readFileVersion(key)}`
}

/** Returns a text that changes when the file is written or replaced; empty without the file. */
async function readFileVersion(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => undefined)
  return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeNs}`
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
