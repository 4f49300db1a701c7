import { countSmsParts } from '../../../domain/sms/segments.js'
import { DriverError } from '../../driver-port/driver.js'

/** Characters that gammu is let read. */
const maxLength = 4000

/** UTF-16 units of one part alone, and of one of several, in UCS-2 (3GPP TS 23.040 section 9.2.3.24.1). */
const alone = 70
const linked = 67

/**
 * The arguments that make `gammu sendsms TEXT NUMBER` send just this text. `-textutf8` because `-text` is read in the
 * locale, and garbles everything outside ASCII in the locale C; `-unicode` by our own tables, because `-autolen` would
 * decide for itself; `~` twice in UCS-2, where gammu makes a single one an order to blink; and one line feed more at the
 * end of a text that ends with one, as gammu takes one off. Throws `fail`.
 */
export function toTextArguments(text: string): readonly string[] {
  const unicode = countSmsParts(text).alphabet === 'UCS-2'
  const whole = unicode ? text.replaceAll('~', '~~') : text
  if (unicode && splitsTilde(whole)) throwUnsendable('a ~ in it falls between two parts')
  if (whole.length >= maxLength) throwUnsendable('it is too long')
  const given = whole.endsWith('\n') ? `${whole}\n` : whole
  return ['-len', String(maxLength), ...(unicode ? ['-unicode'] : []), '-textutf8', given]
}

function throwUnsendable(why: string): never {
  throw new DriverError('fail', `gammu cannot send this text: ${why}.`)
}

/** Whether gammu would end a part between the two halves of a doubled `~`. */
function splitsTilde(doubled: string): boolean {
  if (doubled.length <= alone) return false
  for (let start = 0; start < doubled.length; ) {
    const end = findPartEnd(doubled, start)
    const tildes = /~*$/.exec(doubled.slice(0, end))?.[0].length ?? 0
    if (tildes % 2 === 1) return true
    start = end
  }
  return false
}

/** A character of two units is never cut. */
function findPartEnd(text: string, start: number): number {
  const end = start + linked
  const cuts = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(end - 1, end + 1))
  return cuts ? end - 1 : end
}
