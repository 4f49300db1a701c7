import {
  defaultHelpKeywords,
  defaultStartKeywords,
  defaultStopKeywords,
  normalizeKeyword,
  type OptOutKeyword,
  type OptOutKeywords,
  toKeywords,
} from '../domain/phone/opt-out-keywords.js'
import { RelayError } from '../errors.js'

const standard: Readonly<Record<OptOutKeyword, readonly string[]>> = {
  stop: defaultStopKeywords,
  start: defaultStartKeywords,
  help: defaultHelpKeywords,
}

/**
 * Parses `stop=default,BASTA; help=none`; a kind that is left out has its default. Throws `usage`.
 */
export function parseKeywords(text: string): OptOutKeywords {
  const given: Partial<Record<OptOutKeyword, readonly string[]>> = {}
  for (const part of text.split(';').filter(each => each.trim() !== '')) {
    const [, name = '', words = ''] = /^\s*(stop|start|help)\s*=(.*)$/s.exec(part) ?? []
    const kind = name as OptOutKeyword
    if (name === '' || given[kind] !== undefined) {
      throw new RelayError(
        'usage',
        `The keywords "${part.trim()}" need one of stop, start, help.`,
        { hint: 'Write each once, such as `stop=default,BASTA; start=ALTA; help=none`.' },
      )
    }
    given[kind] = words.trim() === 'none' ? [] : parseWords(words, kind)
  }
  const { stop, start, help } = { ...standard, ...given }
  const keywords = toKeywords(stop, start, help)
  const all = [...keywords.stop, ...keywords.start, ...keywords.help]
  const twice = all.find((each, at) => all.indexOf(each) !== at)
  if (twice === undefined) return keywords
  throw new RelayError('usage', `The keyword "${twice}" cannot have two effects.`, {
    hint: 'Use different keywords to stop, to start and for help.',
  })
}

function parseWords(words: string, kind: OptOutKeyword): readonly string[] {
  return words.split(',').flatMap(each => {
    const word = each.trim()
    if (word.toLowerCase() === 'default') return standard[kind]
    if (normalizeKeyword(word) !== '' && !/\p{Cc}/u.test(word) && word.length <= 100) return word
    throw new RelayError('usage', `The keyword "${word.slice(0, 100)}" can never match a text.`, {
      hint: 'Use keywords of 1 to 100 characters, separated by commas, or `none`.',
    })
  })
}
