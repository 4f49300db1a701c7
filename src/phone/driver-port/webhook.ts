/** A request that a provider sends to a phone, with its body. */
export interface WebhookRequest {
  readonly method: string
  /** Path as the provider sent it, without the query. */
  readonly path: string
  /** The query without `?`. */
  readonly query: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

export interface WebhookReply {
  readonly status: number
  /** Text of the reply to a webhook. @default none */
  readonly body?: string
}

/** A driver's part of the phone's HTTP server. */
export interface DriverWebhook {
  /** The segment of the path that leads to this driver, such as `twilio`. */
  readonly name: string
  /** Resolves to the reply; what the webhook brought is stored before a reply of 200. */
  handle(request: WebhookRequest): Promise<WebhookReply>
}
