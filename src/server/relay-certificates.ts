import { errorText } from '../errors.js'
import { WatchedCertificate } from '../net/tls/tls-certificate.js'
import type { Clock } from '../util/async/clock.js'
import { type RepeatedTask, repeat } from '../util/async/repeat.js'
import type { Metrics } from '../util/collections/metrics.js'
import type { RelayConfig, TlsConfig } from './config/relay-config.js'
import { hasMailServer } from './config/relay-config.js'

type Warn = (sentence: string) => void
type CertificateConfig = Pick<RelayConfig, 'tls' | 'smtp'>

/** Milliseconds between two looks whether files have changed. */
const checkInterval = 60_000

export class RelayCertificates {
  readonly http: WatchedCertificate | undefined
  readonly smtp: WatchedCertificate | undefined

  private constructor(http: WatchedCertificate | undefined, smtp: WatchedCertificate | undefined) {
    this.http = http
    this.smtp = smtp
  }

  /**
   * Reads the files of a checked configuration, and keeps the expiry of each certificate in
   * a gauge. Throws `configuration`.
   */
  static async open(
    { tls, smtp }: CertificateConfig,
    metrics: Pick<Metrics, 'set'>,
  ): Promise<RelayCertificates> {
    const http = tls && (await WatchedCertificate.open(tls))
    const setExpiry = (certificate: WatchedCertificate | undefined, use: string): void => {
      certificate?.watch(({ expiresAt }) => {
        metrics.set(`tls_certificate_expiry_timestamp_seconds{use="${use}"}`, expiresAt / 1000)
      })
    }
    setExpiry(http, 'https')
    const files = hasMailServer(smtp) ? smtp.tls : undefined
    if (files === undefined) return new RelayCertificates(http, undefined)
    const mail = files === tls ? http : await WatchedCertificate.open(files)
    setExpiry(mail, 'smtp')
    return new RelayCertificates(http, mail)
  }

  /**
   * Creates the task that reads files which have changed; `warn` says what is new, or why an old
   * certificate stays.
   */
  createTask(clock: Pick<Clock, 'after'>, warn: Warn = () => {}): RepeatedTask {
    const refresh = async (): Promise<void> => {
      for (const certificate of new Set([this.http, this.smtp])) {
        if (certificate !== undefined) await report(certificate, certificate.refresh(), warn)
      }
    }
    return repeat(checkInterval, refresh, { clock, onError: () => {} })
  }

  /** Reads all files again, also if a new configuration names others. */
  async reload({ tls, smtp }: CertificateConfig, warn: Warn): Promise<void> {
    const read = async (
      certificate: WatchedCertificate | undefined,
      files: TlsConfig | undefined,
    ): Promise<void> => {
      if (certificate === undefined || files === undefined) return
      await report(certificate, certificate.load(files), warn)
    }
    await read(this.http, tls)
    if (this.smtp !== this.http) await read(this.smtp, smtp.tls)
  }
}

async function report(
  certificate: WatchedCertificate,
  replaced: Promise<boolean>,
  warn: Warn,
): Promise<void> {
  try {
    if (!(await replaced)) return
    const expiry = new Date(certificate.current.expiresAt).toISOString()
    warn(`A new TLS certificate is in use. It expires at ${expiry}.`)
  } catch (error) {
    warn(`The old TLS certificate stays in use: ${errorText(error)}`)
  }
}
