/** The characters from U+00A0 on as HTML names them. */
const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para ' +
  'middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave ' +
  'Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc ' +
  'Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc ' +
  'iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
const others =
  'amp& lt< gt> quot" apos\' ndash– mdash— lsquo‘ rsquo’ sbquo‚ ldquo“ rdquo” bdquo„ hellip… bull• euro€ trade™ dagger† larr← ' +
  'uarr↑ rarr→ darr↓ lsaquo‹ rsaquo› minus− le≤ ge≥ ne≠ asymp≈ check✓ OElig\u0152 oelig\u0153 Scaron\u0160 scaron\u0161 ' +
  'zwnj\u200c zwj\u200d ensp\u2002 emsp\u2003 thinsp\u2009'

const characters = new Map<string, string>([
  ...latin.split(' ').map((name, at): [string, string] => [name, String.fromCharCode(160 + at)]),
  ...others.split(' ').map((each): [string, string] => [each.slice(0, -1), each.slice(-1)]),
])

/** A text with its character references replaced by what they stand for; unknown ones stay as they are (HTML section 13.5). */
export function decodeEntities(html: string): string {
  return html.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]{1,8}));?/gi,
    (whole, ...found) => {
      const [decimal, hex, name] = found as (string | undefined)[]
      if (name !== undefined) return characters.get(name) ?? whole
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return code <= 0x10ffff ? String.fromCodePoint(code) : ''
    },
  )
}
