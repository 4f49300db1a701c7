/**
 * Lists the planted values that an output has: as they are, URL-encoded, in a form, in JSON, in
 * JSON inside of JSON, or in base64, also as a part of what was encoded.
 */
export function findPlanted(output: string, planted: readonly string[]): string[] {
  return [...new Set(planted)].filter(value => listForms(value).some(form => output.includes(form)))
}

function listForms(value: string): string[] {
  const url = encodeURIComponent(value)
  const json = JSON.stringify(value).slice(1, -1)
  const forms = [value, url, url.toLowerCase(), url.replaceAll('%20', '+'), json]
  return [...forms, JSON.stringify(json).slice(1, -1), ...listBase64(value)]
}

/**
 * The characters of base64 that do not depend on what stands around a value, for each place in a
 * group of three bytes.
 */
function listBase64(value: string): string[] {
  return [0, 1, 2].flatMap(before => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)])
    const first = Math.ceil((before * 8) / 6)
    const last = Math.floor((bytes.length * 8) / 6)
    return (['base64', 'base64url'] as const).map(as => bytes.toString(as).slice(first, last))
  })
}
