/** A Content-Type field of a mail, with its continued lines. */
const contentType = /^content-type:[^\n]*(?:\n[ \t][^\n]*)*/gim
const flowedFormat = /;\s*format\s*=\s*"?flowed"?/i
const deleteSpace = /;\s*delsp\s*=\s*"?yes"?/i

export interface FlowedMail {
  readonly mail: Uint8Array
  /** Decodes the plain text of the mail. */
  readonly decode: (text: string) => string
}

/**
 * Hides the format of flowed text (RFC 3676) from the MIME parser, which would join a quoted line
 * with the answer below it.
 */
export function hideFlowedFormat(mail: Uint8Array): FlowedMail {
  const source = Buffer.from(mail.buffer, mail.byteOffset, mail.byteLength).toString('latin1')
  let isFlowed = false
  let deletesSpace = false
  const hidden = source.replace(contentType, field => {
    if (!flowedFormat.test(field)) return field
    isFlowed = true
    deletesSpace ||= deleteSpace.test(field)
    return field.replace(flowedFormat, '')
  })
  if (!isFlowed) return { mail, decode: text => text }
  return { mail: Buffer.from(hidden, 'latin1'), decode: text => joinFlowed(text, deletesSpace) }
}

/** Joins the lines of paragraphs; only lines of the same quote depth belong together. */
function joinFlowed(text: string, deletesSpace: boolean): string {
  const lines: string[] = []
  let open: number | undefined
  for (const line of text.split('\n')) {
    const [marks = ''] = /^>*/.exec(line) ?? []
    const content = line.slice(marks.length).replace(/^ /, '')
    const isSeparator = content === '-- '
    const last = lines.at(-1)
    if (open === marks.length && last !== undefined && content !== '' && !isSeparator) {
      lines[lines.length - 1] = (deletesSpace ? last.slice(0, -1) : last) + content
    } else {
      lines.push(marks === '' ? content : `${marks} ${content}`)
    }
    open = content.endsWith(' ') && !isSeparator ? marks.length : undefined
  }
  return lines.join('\n')
}
