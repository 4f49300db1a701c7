import type { TokenKind } from '../../../domain/account/account.js'
import { createSecret, createSigningSecret } from '../../../util/crypto/secrets.js'

export interface Keys {
  readonly secretKey?: string
  readonly apiKey?: string
  readonly appKey?: string
  readonly hookSecret?: string
}

export type KeyKind = 'secret' | 'api' | 'app' | 'hook' | 'all'

export function createKeys(): Required<Keys> {
  return {
    secretKey: createSecret('srs_'),
    apiKey: createSecret('sra_'),
    appKey: createSecret('srp_'),
    hookSecret: createSigningSecret(),
  }
}

export function getTokenKinds(which: KeyKind): TokenKind[] {
  if (which === 'hook') return []
  return which === 'api' || which === 'app' ? [which] : ['api', 'app']
}
