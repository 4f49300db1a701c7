import { replaceContentTypes } from './content-type-fields.js'

const flowedFormat = /;\s*format\s*=\s*"?flowed"?/i
const deleteSpace = /;\s*delsp\s*=\s*"?yes"?/i

export interface FlowedMail {
  readonly mail: Uint8Array
  readonly decode: (text: string) => string
}

/**
 * Hides the format of flowed text (RFC 3676) from the MIME parser, which would join a quoted line
 * with the answer below it.
 */
export function hideFlowedFormat(mail: Uint8Array): FlowedMail {
  let isFlowed = false
  let deletesSpace = false
  const hidden = replaceContentTypes(mail, field => {
    if (!flowedFormat.test(field)) return field
    isFlowed = true
    deletesSpace ||= deleteSpace.test(field)
    return field.replace(flowedFormat, '')
  })
  if (!isFlowed) return { mail, decode: text => text }
  return { mail: hidden, decode: text => joinFlowed(text, deletesSpace) }
}

/** Joins the lines of paragraphs; only lines of the same quote depth belong together. */
function joinFlowed(text: string, deletesSpace: boolean): string {
  // Pieces of the mail's text, because a string that grows by each line would be copied for each
  // line.
  const paragraphs: string[][] = []
  let openDepth: number | undefined
  for (const line of text.split('\n')) {
    const [marks = ''] = /^>*/.exec(line) ?? []
    const content = line.slice(marks.length).replace(/^ /, '')
    const isSeparator = content === '-- '
    const open = openDepth === marks.length ? paragraphs.at(-1) : undefined
    if (open === undefined || content === '' || isSeparator) {
      paragraphs.push([marks === '' ? '' : `${marks} `, content])
    } else {
      if (deletesSpace) open.push((open.pop() ?? '').slice(0, -1))
      open.push(content)
    }
    openDepth = content.endsWith(' ') && !isSeparator ? marks.length : undefined
  }
  return paragraphs.map(pieces => pieces.join('')).join('\n')
}
