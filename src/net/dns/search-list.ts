/** How the system completes short names (resolv.conf(5)). */
export interface SearchList {
  readonly domains: readonly string[]
  /** A host name with so many dots is first tried as it is. */
  readonly dots: number
}

/** Limits of the C library for names in DNS. */
const maxDomains = 6
const maxDots = 15

/** Parses `search`, `domain` and `options ndots:` in resolv.conf; the last line of each counts. */
export function parseSearchList(text: string): SearchList {
  let domains: string[] = []
  let dots = 1
  for (const line of text.split(/\r?\n/)) {
    const [keyword, ...values] = line
      .replace(/[#;].*$/, '')
      .trim()
      .split(/\s+/)
    if (keyword === 'search') domains = values.slice(0, maxDomains)
    if (keyword === 'domain') domains = values.slice(0, 1)
    const option =
      keyword === 'options' ? values.find(value => /^ndots:\d+$/.test(value)) : undefined
    if (option !== undefined) dots = Math.min(Number(option.slice('ndots:'.length)), maxDots)
  }
  return { domains: domains.map(domain => domain.replace(/\.$/, '')).filter(Boolean), dots }
}

/** Lists the names to ask for, in order. A name that ends with a dot is complete. */
export function listSearchNames(name: string, { domains, dots }: SearchList): string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)]
  const completed = domains.map(domain => `${name}.${domain}`)
  return name.split('.').length - 1 >= dots ? [name, ...completed] : [...completed, name]
}
