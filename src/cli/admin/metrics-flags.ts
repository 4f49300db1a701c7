import { string } from '@oclif/core/flags'
import { integer } from './integer-flag.js'

const helpGroup = 'METRICS'

export const metricsFlags = {
  'metrics-port': integer({
    description:
      'Port on 127.0.0.1 that serves /metrics, /healthz and /readyz; 0 picks a free one.',
    defaultHelp: async () => 'no metrics',
    env: 'SMSRELAY_METRICS_PORT',
    helpValue: 'PORT',
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
  readonly 'metrics-token'?: string | undefined
}

export function toMetricsSettings(flags: MetricsValues) {
  return {
    metricsPort: flags['metrics-port'],
    metricsToken: flags['metrics-token'],
  }
}
