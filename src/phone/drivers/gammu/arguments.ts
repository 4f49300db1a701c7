import { segments } from '../../../domain/segments.js'
import { DriverError } from '../../driver.js'

/** Characters gammu takes in all, when each `~` counts twice. */
const most = 4000

/** UTF-16 units of one part alone, and of one of several, in UCS-2 (3GPP TS 23.040 section 9.2.3.24.1). */
const alone = 70
const linked = 67

/**
 * The arguments that make `gammu sendsms TEXT NUMBER` send just this text. `-textutf8` because `-text` is read in the
 * locale, and garbles everything outside ASCII in the locale C; `-unicode` by our own tables, because `-autolen` would
 * decide for itself; and `~` twice in UCS-2, where gammu makes a single one an order to blink. Throws `fail`.
 */
export function textArguments(text: string): readonly string[] {
  if (segments(text).alphabet === 'GSM-7') return ['-len', String(most), '-textutf8', text]
  const doubled = text.replaceAll('~', '~~')
  if (doubled.length > most || cutsTilde(doubled)) {
    throw new DriverError('fail', 'gammu cannot send this text: a ~ in it falls between two parts.')
  }
  return ['-len', String(most), '-unicode', '-textutf8', doubled]
}

/** Whether gammu would end a part between the two halves of a doubled `~`. */
function cutsTilde(doubled: string): boolean {
  if (doubled.length <= alone) return false
  for (let start = 0; start < doubled.length; ) {
    const end = endOfPart(doubled, start)
    const tildes = /~*$/.exec(doubled.slice(0, end))?.[0].length ?? 0
    if (tildes % 2 === 1) return true
    start = end
  }
  return false
}

/** A character of two units is never cut. */
function endOfPart(text: string, start: number): number {
  const end = start + linked
  const cuts = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(end - 1, end + 1))
  return cuts ? end - 1 : end
}
