/** What a preset sets; options of the same name come before it. */
export interface Preset {
  /** Address of the service, when it is not the user's own. */
  readonly url?: string
  /** Behind the address. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly user?: string
  readonly password?: string
  readonly type: 'json' | 'form'
  /** The first of which all options are given is used. */
  readonly bodies: readonly string[]
  readonly success?: string
  readonly parts?: string
  /** What statuses mean that mean something else by default. */
  readonly statuses?: Readonly<Partial<Record<'sent' | 'retry' | 'fail' | 'trouble', string>>>
  /** What a 5xx, or no answer, means. @default unknown */
  readonly unsure?: 'retry'
}

/** Services that are known by name, by their published interfaces of 2026. */
export const presets: Readonly<Record<string, Preset>> = {
  /**
   * SMSGate's local server (capcom6/android-sms-gateway, modules/localserver): 202 is accepted; the same id again is
   * 409, so that asking twice sends once.
   */
  smsgate: {
    path: '/messages',
    password: '{env:SMSRELAY_HTTP_PASSWORD}',
    type: 'json',
    bodies: [
      '{"id":"{id}","textMessage":{"text":"{text}"},"phoneNumbers":["{destination}"],"simNumber":{sim}}',
      '{"id":"{id}","textMessage":{"text":"{text}"},"phoneNumbers":["{destination}"]}',
    ],
    statuses: { sent: '409' },
    unsure: 'retry',
  },
  /** httpSMS (docs.httpsms.com); `request_id` is for tracking only. */
  httpsms: {
    url: 'https://api.httpsms.com',
    path: '/v1/messages/send',
    headers: { 'x-api-key': '{env:HTTPSMS_API_KEY}' },
    type: 'json',
    bodies: ['{"content":"{text}","from":"{from}","to":"{destination}","request_id":"{id}"}'],
  },
  /** textbee (vernu/textbee, POST /gateway/send-sms); 400 is often a phone that is disabled, not the text. */
  textbee: {
    url: 'https://api.textbee.dev',
    path: '/api/v1/gateway/send-sms',
    headers: { 'x-api-key': '{env:TEXTBEE_API_KEY}' },
    type: 'json',
    bodies: [
      '{"message":"{text}","recipients":["{destination}"],"deviceId":"{device}"}',
      '{"message":"{text}","recipients":["{destination}"]}',
    ],
    statuses: { retry: '400' },
  },
  /** Twilio's Messages resource (2010-04-01); a POST is not idempotent there. */
  twilio: {
    url: 'https://api.twilio.com',
    path: '/2010-04-01/Accounts/{account}/Messages.json',
    user: '{account}',
    password: '{env:TWILIO_AUTH_TOKEN}',
    type: 'form',
    bodies: [
      'To={destination}&MessagingServiceSid={service}&Body={text}',
      'To={destination}&From={from}&Body={text}',
    ],
    success: 'sid',
    parts: 'num_segments',
  },
}
