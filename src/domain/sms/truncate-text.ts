/** Marks a text that was cut; in the GSM alphabet (3GPP TS 23.038), unlike an ellipsis. */
const truncationMark = '...'

/** Cuts a text to `max` characters (code points), with a mark at its end. */
export function truncateText(text: string, max: number): string {
  if (text.length <= max) return text
  const characters = [...text]
  if (characters.length <= max) return text
  const mark = truncationMark.slice(0, Math.max(0, max - truncationMark.length))
  const beginning = characters
    .slice(0, max - mark.length)
    .join('')
    .trimEnd()
  return beginning + mark
}
