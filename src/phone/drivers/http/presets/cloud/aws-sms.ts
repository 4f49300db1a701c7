import type { ProviderPreset } from '../../rules/provider-preset.js'
import { checkSnsSignature } from '../../signatures/sns-signature.js'

/**
 * AWS End User Messaging SMS (SendTextMessage). The events of its configuration set and the texts
 * of two-way numbers arrive through a topic of AWS SNS.
 */
export const awsSms: ProviderPreset = {
  title: 'AWS End User Messaging',
  url: 'https://sms-voice.{region}.amazonaws.com',
  path: '/',
  awsService: 'sms-voice',
  headers: {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': 'PinpointSMSVoiceV2.SendTextMessage',
  },
  type: 'json',
  bodies: [
    '{"DestinationPhoneNumber":"{destination}","OriginationIdentity":"{from}",' +
      '"MessageBody":"{text}"<,"ConfigurationSetName":"{configuration}">}',
  ],
  success: 'MessageId',
  id: 'MessageId',
  code: '__type',
  codes: {
    // A conflict is a recipient that has opted out.
    fail: 'ValidationException,ConflictException',
    trouble:
      'ThrottlingException,AccessDeniedException,ServiceQuotaExceededException,' +
      'ResourceNotFoundException,UnrecognizedClientException,InvalidSignatureException,' +
      'ExpiredTokenException,MissingAuthenticationTokenException,IncompleteSignatureException',
  },
  states: {
    text_queued: 'pending',
    text_pending: 'pending',
    text_sent: 'pending',
    text_successful: 'pending',
    text_delivered: 'delivered',
    text_ttl_expired: 'expired',
    text_invalid: 'undelivered',
    text_invalid_message: 'undelivered',
    text_unreachable: 'undelivered',
    text_carrier_unreachable: 'undelivered',
    text_blocked: 'undelivered',
    text_carrier_blocked: 'undelivered',
    text_protect_blocked: 'undelivered',
    text_spam: 'undelivered',
  },
  webhook: {
    check: checkSnsSignature,
    secret: [],
    isSns: true,
    receipt: {
      when: 'eventType',
      id: ['messageId'],
      number: ['destinationPhoneNumber'],
      value: ['eventType'],
      at: ['eventTimestamp'],
      reason: ['messageStatusDescription', 'messageStatus'],
    },
    text: {
      when: 'inboundMessageId',
      id: ['inboundMessageId'],
      number: ['originationNumber'],
      to: ['destinationNumber'],
      value: ['messageBody'],
    },
  },
}
