import { string } from '@oclif/core/flags'
import { integer } from './integer-flag.js'

const helpGroup = 'METRICS'

export const metricsFlags = {
  'metrics-port': integer({
    description: 'Port that serves /metrics, /healthz and /readyz; 0 picks a free one.',
    defaultHelp: async () => 'no metrics',
    env: 'SMSRELAY_METRICS_PORT',
    helpValue: 'PORT',
    helpGroup,
  }),
  'metrics-host': string({
    description: 'Address of that port, which asks for no token.',
    defaultHelp: async () => '127.0.0.1',
    env: 'SMSRELAY_METRICS_HOST',
    helpValue: 'ADDRESS',
    helpGroup,
  }),
  'metrics-token': string({
    description: "Bearer token for /metrics on the relay's port; set it in the environment.",
    defaultHelp: async () => 'no metrics there',
    env: 'SMSRELAY_METRICS_TOKEN',
    helpValue: 'TOKEN',
    helpGroup,
  }),
}

export interface MetricsValues {
  readonly 'metrics-port'?: number | undefined
  readonly 'metrics-host'?: string | undefined
  readonly 'metrics-token'?: string | undefined
}

export function toMetricsSettings(flags: MetricsValues) {
  return {
    metricsPort: flags['metrics-port'],
    metricsHost: flags['metrics-host'],
    metricsToken: flags['metrics-token'],
  }
}
