import type { ConnectionLimits } from '../net/server/connection-limits.js'
import type { RelayConfig } from './config/relay-config.js'
import type { RelayCertificates } from './relay-certificates.js'
import type { Services } from './relay-services.js'

export interface ReloadableParts {
  readonly services: Services
  readonly certificates: RelayCertificates
  readonly setConnectionLimits: (limits: ConnectionLimits) => void
  readonly warn: (sentence: string) => void
}

/**
 * Applies to a composed relay what can change while it runs: opt-out keywords, limits of
 * connections, subscriptions and webhooks, and certificates.
 */
export async function applyConfig(
  config: RelayConfig,
  { services, certificates, setConnectionLimits, warn }: ReloadableParts,
): Promise<void> {
  services.receivedTexts.setKeywords(config.keywords)
  services.subscriptionLimit.max = config.webhooks.maxSubscriptions
  services.dispatcher.setLimits(config.webhooks)
  setConnectionLimits(config.limits)
  await certificates.reload(config, warn)
}
