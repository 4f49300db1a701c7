import type { Agent } from 'node:http'
import { RelayError } from '../../errors.js'
import { memoize } from '../../util/collections/memoize.js'

const variables = ['https_proxy', 'http_proxy', 'all_proxy'].flatMap(name => [
  name,
  name.toUpperCase(),
])

/** Milliseconds that an unused connection stays open; many servers close one after 5 s. */
const agentOptions = { keepAlive: true, timeout: 4000 }

/**
 * Finds the address of the proxy for HTTP requests to an address: HTTPS_PROXY, HTTP_PROXY or else
 * ALL_PROXY, unless NO_PROXY names the host. As with curl, loopback addresses are no exception, and
 * a proxy without a scheme speaks HTTP.
 */
export async function findProxy(url: string): Promise<string | undefined> {
  const values = variables.map(name => process.env[name])
  if (!values.some(value => value)) return undefined
  const { getProxyForUrl } = await import('proxy-from-env')
  const proxy = getProxyForUrl(url)
  if (proxy === '') return undefined
  // The package adds the scheme of the request.
  return values.includes(proxy) ? proxy : proxy.replace(/^https:/, 'http:')
}

/** Opens the agent of HTTP requests through a proxy; https is tunneled. Throws `configuration`. */
export async function openProxyAgent(proxy: string, isSecure: boolean): Promise<Agent> {
  if (!URL.canParse(proxy) || !/^https?:$/.test(new URL(proxy).protocol)) {
    throw new RelayError('configuration', `HTTP requests cannot go${nameProxy(proxy)}.`, {
      hint: 'Set HTTPS_PROXY and HTTP_PROXY to http://HOST:PORT, or add the host to NO_PROXY.',
    })
  }
  return await (isSecure ? openTunnelAgent : openForwardAgent)(proxy)
}

const openTunnelAgent = memoize(10, async proxy => {
  const { HttpsProxyAgent } = await import('https-proxy-agent')
  return new HttpsProxyAgent(proxy, agentOptions)
})

const openForwardAgent = memoize(10, async proxy => {
  const { HttpProxyAgent } = await import('http-proxy-agent')
  return new HttpProxyAgent(proxy, agentOptions)
})

/** What to check when HTTP requests go through a proxy. */
export const proxyHint = 'Check HTTPS_PROXY and HTTP_PROXY, or add the host to NO_PROXY.'

/**
 * Names the proxy of HTTP requests to an address, without its login, for the end of a phrase: such
 * as ` through the proxy http://proxy:3128`; empty without one.
 */
export async function describeProxy(url: string): Promise<string> {
  const proxy = await findProxy(url)
  return proxy === undefined ? '' : nameProxy(proxy)
}

function nameProxy(proxy: string): string {
  if (!URL.canParse(proxy)) return ' through a proxy whose address is malformed'
  const { protocol, host } = new URL(proxy)
  return ` through the proxy ${protocol}//${host}`
}
