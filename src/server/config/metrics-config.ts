import { RelayError } from '../../errors.js'
import type { ListenTarget } from '../../net/server/listen-target.js'
import { requireInteger } from './require-integer.js'

export interface MetricsSettings {
  /** Port on 127.0.0.1 for metrics alone, without a token; 0 picks a free one. @default no port */
  readonly metricsPort?: number | undefined
  /** Setting: descriptor of a socket of the parent process that serves metrics, not that port. */
  readonly metricsFd?: number | undefined
  /**
   * Setting: token with which the relay's own port serves metrics, at least 16 characters.
   * @default that port serves none
   */
  readonly metricsToken?: string | undefined
}

/** The checked settings of metrics; without a port and a token nothing serves them. */
export interface MetricsConfig {
  /** Where metrics alone are served; undefined if nowhere. */
  readonly listen: ListenTarget | undefined
  readonly token: string | undefined
}

export function parseMetricsConfig(settings: MetricsSettings): MetricsConfig {
  const { metricsPort: port, metricsFd: fd, metricsToken: token } = settings
  if (token !== undefined && !/^[\w.~+/=-]{16,}$/.test(token)) {
    throw new RelayError(
      'usage',
      'The metrics token must have at least 16 characters, of A-Z a-z 0-9 - . _ ~ + / and =.',
      { hint: 'Make one with `openssl rand -hex 32`.' },
    )
  }
  return { listen: parseMetricsListen(fd, port), token }
}

function parseMetricsListen(
  fd: number | undefined,
  port: number | undefined,
): ListenTarget | undefined {
  const address =
    port === undefined
      ? undefined
      : {
          host: '127.0.0.1',
          port: requireInteger('metrics-port', port, 0, 65_535),
          flags: 'metrics-',
        }
  return fd === undefined ? address : { fd }
}
