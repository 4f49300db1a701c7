import { RelayError } from '../../errors.js'

const token = /\\([\s\S])|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|(\s+)|([^\s\\'"]+)/gy

/**
 * Splits a command line into words by the POSIX rules for quotes and backslashes, without
 * variables, `~` and pipes. Throws `usage` for an open quote.
 */
export function splitCommand(command: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let end = 0
  for (const match of command.matchAll(token)) {
    end = match.index + match[0].length
    if (match[4] === undefined) word = (word ?? '') + unquote(match)
    else if (word !== undefined) {
      words.push(word)
      word = undefined
    }
  }
  if (end < command.length) throw unfinishedError(command.charAt(end))
  return word === undefined ? words : [...words, word]
}

/** Quotes a word without NUL, so that POSIX shells read exactly this word. */
export function quoteShellWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

function unquote([, escaped, single, double, , plain]: RegExpExecArray): string {
  if (double !== undefined) return double.replace(/\\(["\\$`])/g, '$1')
  return escaped ?? single ?? plain ?? ''
}

function unfinishedError(character: string): RelayError {
  const problem =
    character === '\\' ? 'ends in a lone backslash' : `has a ${character} that is never closed`
  return new RelayError('usage', `The command ${problem}.`)
}
