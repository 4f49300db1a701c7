import type { Driver } from '../../phone/driver-port/driver.js'
import {
  openWebhookServer,
  type WebhookServer,
  type WebhookServerOptions,
} from '../../phone/webhooks/webhook-server.js'
import { parsePhoneListen } from './phone-flags.js'

interface PhoneWebhookOptions extends Pick<WebhookServerOptions, 'clock' | 'warn'> {
  readonly onListening: (url: string) => void
}

/**
 * Serves the webhooks of a driver at the address of --listen, if there is one. Throws `usage` and
 * `configuration`.
 */
export async function openPhoneWebhooks(
  listen: string | undefined,
  driver: Driver,
  { clock, warn, onListening }: PhoneWebhookOptions,
): Promise<WebhookServer | undefined> {
  if (listen === undefined) return undefined
  const address = parsePhoneListen(listen)
  const server = await openWebhookServer(driver, { ...address, clock, warn })
  const host = address.host.includes(':') ? `[${address.host}]` : address.host
  for (const path of server.paths) onListening(`http://${host}:${server.port}${path}`)
  return server
}
