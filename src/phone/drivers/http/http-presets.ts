/** Settings for a known service; options of the same name replace them. */
export interface Preset {
  /** Address of the SMS service; absent if users run the service themselves. */
  readonly url?: string
  /** Path of the SMS service, appended to the address. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly user?: string
  readonly password?: string
  readonly type: 'json' | 'form'
  /** Body templates of the SMS service; the first one for which all values are given is used. */
  readonly bodies: readonly string[]
  readonly success?: string
  readonly parts?: string
  /** Exceptions of the SMS service to the default meanings of HTTP statuses. */
  readonly statuses?: Readonly<Partial<Record<'sent' | 'retry' | 'fail' | 'trouble', string>>>
  /** The SMS service's meaning of a 5xx or of no reply. @default unknown */
  readonly unsure?: 'retry'
}

/** SMS services that the http driver knows, by their published interfaces of 2026. */
export const presets: Readonly<Record<string, Preset>> = {
  /**
   * SMSGate's local server (capcom6/android-sms-gateway, modules/localserver). It answers 202, and
   * 409 to an id that it knows, so a repeated request does not send twice.
   */
  smsgate: {
    path: '/messages',
    password: '{env:SMSRELAY_HTTP_PASSWORD}',
    type: 'json',
    bodies: [
      '{"id":"{id}","textMessage":{"text":"{text}"},"phoneNumbers":["{destination}"],' +
        '"simNumber":{sim}}',
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
  /** textbee (vernu/textbee, POST /gateway/send-sms); a 400 often means a disabled phone. */
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
