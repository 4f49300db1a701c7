import { countSmsParts, splitIntoParts } from '../../../domain/sms/sms-parts.js'
import { DriverError } from '../../driver-port/driver.js'

/** Characters that gammu is let read. */
const maxLength = 4000

const tilde = 0x7e

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
  return splitIntoParts(doubled).some(({ units }) => {
    const trailing = units.length - 1 - units.findLastIndex(unit => unit !== tilde)
    return trailing % 2 === 1
  })
}
