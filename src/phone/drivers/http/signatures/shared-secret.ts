import { isSameSecret } from '../../../../util/crypto/secrets.js'
import { type CheckSignature, getHeader } from './signed-webhook.js'

/** A provider that signs nothing: the secret is the end of the path, or the login's password. */
export const checkSharedSecret: CheckSignature = (webhook, { secret }) => {
  const [, login = ''] = /^Basic (.+)$/i.exec(getHeader(webhook, 'authorization')) ?? []
  const password = Buffer.from(login, 'base64')
    .toString()
    .replace(/^[^:]*:/, '')
  return isSameSecret(webhook.pathEnd, secret) || isSameSecret(password, secret)
}
