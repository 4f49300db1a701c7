import type { ProviderPreset } from '../../rules/provider-preset.js'

const attribute = 'MessageAttributes.entry.1.'

/** AWS SNS, Publish to a phone number (2010-03-31). It reports no delivery over HTTP. */
export const awsSns: ProviderPreset = {
  title: 'AWS SNS',
  url: 'https://sns.{region}.amazonaws.com',
  path: '/',
  awsService: 'sns',
  type: 'form',
  bodies: [
    'Action=Publish&Version=2010-03-31&PhoneNumber={destination}&Message={text}' +
      `<&${attribute}Name=AWS.SNS.SMS.SenderID&${attribute}Value.DataType=String` +
      `&${attribute}Value.StringValue={from}>`,
  ],
  pattern:
    '<MessageId>(?<id>[^<]+)</MessageId>|' +
    '<Code>(?<code>[^<]+)</Code>\\s*<Message>(?<message>[^<]*)</Message>',
  success: 'id',
  id: 'id',
  code: 'code',
  codes: {
    fail: 'InvalidParameter,InvalidParameterValue,ParameterValueInvalid,OptedOut',
    trouble:
      'Throttling,Throttled,ThrottledException,AuthorizationError,AccessDenied,ExpiredToken,' +
      'InvalidClientTokenId,SignatureDoesNotMatch,IncompleteSignature,RequestExpired',
  },
}
