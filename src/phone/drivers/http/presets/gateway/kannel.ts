import type { ProviderPreset } from '../../rules/provider-preset.js'
import { checkSharedSecret } from '../../signatures/shared-secret.js'

const login = 'username={account}&password={env:KANNEL_PASSWORD}'
const message = `${login}&to={destination}&text={text}&charset=UTF-8<&from={from}>`
// Kannel replaces %d by the kind of the report and %A by the reply of the SMSC.
const report = '%3Fid%3D{id}%26to%3D{digits}%26type%3D%25d%26reason%3D%25A'
const receipts = `<&dlr-mask=19&dlr-url={webhook}${report}>`

/** Kannel's sendsms (smsbox). It has no ids, so its reports have that of the message. */
export const kannel: ProviderPreset = {
  title: 'Kannel sendsms',
  path: '/cgi-bin/sendsms',
  type: 'query',
  bodies: [`${message}${receipts}`],
  unicodeBody: `${message}&coding=2${receipts}`,
  flash: 'mclass=0',
  pattern: '^(?:(?<code>\\d+): )?(?<message>.*)',
  success: 'code=0|3',
  id: '{id}',
  code: 'message',
  codes: { fail: 'Not routable. Do not try again.' },
  statuses: { retry: '503' },
  states: {
    1: 'delivered',
    2: 'undelivered',
    4: 'pending',
    8: 'pending',
    16: 'undelivered',
  },
  webhook: {
    check: checkSharedSecret,
    secret: ['SMSRELAY_WEBHOOK_SECRET'],
    hasSecretPath: true,
    receipt: { when: 'type', id: ['id'], number: ['to'], value: ['type'], reason: ['reason'] },
    text: { when: 'from', id: ['id'], number: ['from'], to: ['to'], value: ['text'], at: ['time'] },
  },
}
