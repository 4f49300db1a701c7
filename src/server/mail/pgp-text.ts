/** Returns a text without the armour of parts that PGP signed in clear (RFC 9580, section 7). */
export function removePgpArmour(text: string): string {
  const kept: string[] = []
  let place: 'outside' | 'head' | 'signed' | 'signature' = 'outside'
  for (const line of text.split('\n')) {
    if (isArmour(line, 'BEGIN', 'SIGNED MESSAGE')) place = 'head'
    else if (place === 'head') place = line.trim() === '' ? 'signed' : 'head'
    else if (isArmour(line, 'BEGIN', 'SIGNATURE') && place === 'signed') place = 'signature'
    else if (isArmour(line, 'END', 'SIGNATURE') && place === 'signature') place = 'outside'
    else if (place === 'signed') kept.push(line.replace(/^- /, ''))
    else if (place === 'outside') kept.push(line)
  }
  return kept.join('\n')
}

export function isPgpEncrypted(text: string): boolean {
  return text.split('\n').some(line => isArmour(line, 'BEGIN', 'MESSAGE'))
}

function isArmour(line: string, end: 'BEGIN' | 'END', kind: string): boolean {
  const name = /^\s*-----([A-Z]+) PGP ([A-Z ]+)(?:, PART [\d/]+)?-----\s*$/.exec(line)
  return name?.[1] === end && name[2] === kind
}
