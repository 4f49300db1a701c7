const plainWord = /^[A-Za-z0-9_./:=+@,~-]+$/
const namedEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** A word of ExecStart= as systemd reads it back: quoted where needed, `%` and `$` doubled (systemd.service(5)). */
export function quoteWord(word: string): string {
  if (plainWord.test(word)) return word
  const escaped = word
    .replace(/[\\"]/g, '\\$&')
    .replace(/[\p{Cc}]/gu, control => namedEscapes[control] ?? toHexEscape(control))
    .replaceAll('%', '%%')
    .replaceAll('$', '$$$$')
  return `"${escaped}"`
}

/** A path that stands alone as a value: no quotes are known there, only `%` has a meaning (systemd.unit(5)). */
export function escapePath(path: string): string {
  return path.replaceAll('%', '%%')
}

/** A line of an EnvironmentFile= (systemd.exec(5)). */
export function formatEnvironmentLine(name: string, value: string): string {
  return `${name}="${value.replace(/[\\"`$]/g, '\\$&')}"`
}

function toHexEscape(control: string): string {
  return `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`
}
