import ky, { HTTPError, type Options, TimeoutError } from 'ky'
import {
  type Requester,
  RequestTimeout,
  transientStatuses,
  type WireReply,
  type WireRequest,
} from '../net/client/request.js'

/** Requests over ky and fetch. */
export function createKyRequester(fetch?: typeof globalThis.fetch): Requester {
  const instance = ky.create(fetch === undefined ? {} : { fetch })
  return async request => {
    try {
      return await toReply(await instance(request.url, toOptions(request)))
    } catch (error) {
      if (error instanceof HTTPError) return await toReply(error.response)
      throw error instanceof TimeoutError ? new RequestTimeout() : error
    }
  }
}

function toOptions({ method, headers, body, timeout, retries, signal }: WireRequest): Options {
  return {
    ...{ method, headers: { ...headers }, timeout },
    retry: {
      limit: retries,
      methods: [method.toLowerCase() as 'get'],
      statusCodes: [...transientStatuses],
    },
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  }
}

async function toReply(response: Response): Promise<WireReply> {
  const retryAfter = response.headers.get('retry-after') ?? undefined
  return { status: response.status, text: await response.text(), retryAfter }
}
