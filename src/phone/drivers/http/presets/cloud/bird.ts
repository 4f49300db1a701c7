import type { ProviderPreset } from '../../rules/provider-preset.js'
import { checkBirdSignature } from '../../signatures/body-signatures.js'

const path = '/workspaces/{workspace}/channels/{channel}/messages'

/** Bird's Channels API; the sender is the channel's number. */
export const bird: ProviderPreset = {
  title: 'Bird',
  url: 'https://api.bird.com',
  path,
  headers: { authorization: 'AccessKey {env:BIRD_ACCESS_KEY}' },
  type: 'json',
  bodies: [
    '{"receiver":{"contacts":[{"identifierKey":"phonenumber",' +
      '"identifierValue":"{destination}"}]},"body":{"type":"text","text":{"text":"{text}"}},' +
      '"reference":"{id}"}',
  ],
  success: 'id',
  id: 'id',
  states: {
    accepted: 'pending',
    processing: 'pending',
    sent: 'pending',
    delivered: 'delivered',
    sending_failed: 'undelivered',
    delivery_failed: 'undelivered',
    rejected: 'undelivered',
    skipped: 'undelivered',
  },
  status: {
    path: `${path}/{providerid}`,
    receipt: {
      id: ['id'],
      number: ['receiver.contacts[0].identifierValue'],
      value: ['status'],
      at: ['lastStatusAt', 'updatedAt'],
      reason: ['failure.description', 'reason'],
    },
  },
  webhook: {
    check: checkBirdSignature,
    secret: ['BIRD_SIGNING_KEY'],
    signsUrl: true,
    receipt: {
      when: 'event=sms.outbound',
      id: ['payload.id'],
      number: ['payload.receiver.contacts[0].identifierValue'],
      value: ['payload.status'],
      at: ['payload.lastStatusAt'],
      reason: ['payload.failure.description', 'payload.reason'],
    },
    text: {
      when: 'event=sms.inbound',
      id: ['payload.id'],
      number: ['payload.sender.contact.identifierValue'],
      value: ['payload.body.text.text', 'payload.body.image.text', 'payload.body.file.text'],
      media: ['payload.body.image.images[*].mediaUrl', 'payload.body.file.files[*].mediaUrl'],
      at: ['payload.createdAt'],
    },
  },
}
