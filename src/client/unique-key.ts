/**
 * Creates a key that no other request has. It is unique, not secret: node:crypto and WebCrypto take
 * 3 ms of the processor time of a command to load.
 */
export function createUniqueKey(): string {
  const parts = [Date.now(), Math.random() * 2 ** 52, Math.random() * 2 ** 52]
  return parts.map(part => Math.floor(part).toString(36)).join('-')
}
