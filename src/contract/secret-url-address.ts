import { type CapabilityTerms, neededFields } from '../domain/account/secret-url.js'

const samples: Readonly<Record<string, string>> = {
  destination: '+12025550123',
  message: 'Hello',
}

/** A line for a shell that sends a text by a secret URL; `url` is its whole address. */
export function curlLine(url: string, terms: CapabilityTerms): string {
  const fields = neededFields(terms).map(
    name => `--data-urlencode '${name}=${samples[name] ?? 'VALUE'}'`,
  )
  return ['curl', ...(fields.length === 0 ? ['-X POST'] : fields), `'${url}'`].join(' ')
}
