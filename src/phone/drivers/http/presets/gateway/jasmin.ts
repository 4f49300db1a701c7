import type { ProviderPreset } from '../../rules/provider-preset.js'
import { checkSharedSecret } from '../../signatures/shared-secret.js'

const message = 'username={account}&password={env:JASMIN_PASSWORD}&to={destination}<&from={from}>'
const receipts = '<&dlr=yes&dlr-level=2&dlr-method=POST&dlr-url={webhook}>'

/** Jasmin's HTTP API. It repeats a webhook until the reply is `ACK/Jasmin`. */
export const jasmin: ProviderPreset = {
  title: 'Jasmin',
  path: '/send',
  type: 'form',
  bodies: [`${message}&coding=0&content={text}${receipts}`],
  unicodeBody: `${message}&coding=8&hex-content={hex}${receipts}`,
  pattern: '^(?:Success "(?<id>[^"]+)"|Error "(?<message>[^"]*)")',
  success: 'id',
  id: 'id',
  // An error of Jasmin says that it did not queue the text.
  statuses: { retry: '500' },
  states: {
    esme_rok: 'pending',
    accepted: 'pending',
    acceptd: 'pending',
    enroute: 'pending',
    delivrd: 'delivered',
    expired: 'expired',
    deleted: 'undelivered',
    undeliv: 'undelivered',
    rejectd: 'undelivered',
  },
  webhook: {
    check: checkSharedSecret,
    secret: ['SMSRELAY_WEBHOOK_SECRET'],
    hasSecretPath: true,
    reply: 'ACK/Jasmin',
    receipt: {
      when: 'message_status',
      id: ['id'],
      number: ['to'],
      value: ['message_status'],
      reason: ['err', 'message_status'],
    },
    text: {
      when: 'from',
      id: ['id'],
      number: ['from'],
      to: ['to'],
      value: ['content'],
      hex: { path: 'binary', when: 'coding=8' },
    },
  },
}
