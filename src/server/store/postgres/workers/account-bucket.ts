export const bucketCount = 256

/**
 * The bucket of an account in the database: FNV-1a of its identifier. All versions of the program
 * must agree on it.
 */
export function getAccountBucket(account: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < account.length; at += 1) {
    hash = Math.imul(hash ^ account.charCodeAt(at), 0x01000193)
  }
  return (hash ^ (hash >>> 8) ^ (hash >>> 16) ^ (hash >>> 24)) & (bucketCount - 1)
}
