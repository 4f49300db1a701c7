import { countUnitSeptets, type ShiftTables } from './gsm-alphabet.js'

let segmenter: Intl.Segmenter | undefined

/**
 * Finds where the parts of a UCS-2 text end, if each has at most `max` UTF-16 code units. No part
 * ends within a grapheme cluster (Unicode Standard Annex 29), such as an emoji or a letter with
 * its combining marks. A cluster that is longer than a part is cut between two code points.
 */
export function findUcs2Ends(text: string, max: number): readonly number[] {
  const ends: number[] = []
  let start = 0
  while (text.length - start > max) {
    start = moveToBoundary(text, start, start + max, max)
    ends.push(start)
  }
  ends.push(text.length)
  return ends
}

/**
 * As {@link findUcs2Ends}, for a text in the characters of `tables` and parts of `max` septets. An
 * escape stays with the code after it.
 */
export function findGsmEnds(text: string, max: number, tables: ShiftTables): readonly number[] {
  const hasClusters = tables.locking > 0 || tables.single > 0
  const ends: number[] = []
  let start = 0
  let used = 0
  for (let at = 0; at < text.length; at += 1) {
    const septets = countUnitSeptets(text.charCodeAt(at), tables)
    used += septets
    if (used <= max) continue
    start = hasClusters ? moveToBoundary(text, start, at, max) : at
    ends.push(start)
    used = start === at ? septets : 0
    at = start === at ? at : start - 1
  }
  ends.push(text.length)
  return ends
}

function moveToBoundary(text: string, start: number, end: number, max: number): number {
  if (isPlain(text.charCodeAt(end)) && isPlain(text.charCodeAt(end - 1))) return end
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  const cluster = segmenter.segment(text.slice(start, end + max)).containing(end - start)
  if (cluster === undefined) return end
  if (cluster.index > 0 && cluster.segment.length <= max) return start + cluster.index
  return isLowSurrogate(text.charCodeAt(end)) ? end - 1 : end
}

/**
 * In a text to split, whether a code unit is a cluster of its own between others such as it: most
 * letters are.
 */
function isPlain(unit: number): boolean {
  const isLatin = unit >= 0x20 && unit < 0x7f
  const isCyrillic = unit >= 0x410 && unit <= 0x44f
  return isLatin || isCyrillic || (unit >= 0x4e00 && unit <= 0x9fff)
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
