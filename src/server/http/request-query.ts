import type { ZodMiniType } from 'zod/mini'
import { parseInput } from '../../contract/schema/parse.js'
import { RelayError } from '../../errors.js'
import type { HttpRequest } from '../../net/server/http-request.js'
import { parseJson } from '../../util/text/parse-json.js'
import { parseForm } from './form-body.js'
import { getObjectField } from './request-body.js'

/** The parameters of a request's query. Throws `invalid_request`, also for a repeated one. */
export function getQuery({ query }: HttpRequest): Readonly<Record<string, string>> {
  return parseForm(query)
}

/** Checks the parameters of a list by their schema. */
export function parseQuery<T>(schema: ZodMiniType<T>, request: HttpRequest): T {
  return parseInput(schema, getQuery(request))
}

/** Members of filters that must be numbers in JSON. */
const numberMembers = new Set(['start', 'count'])

/**
 * Checks the parameter `filter` of a list: the text of a JSON object, or a parameter for each of
 * its members, such as `filter[count]=10`.
 */
export function parseFilter<T>(schema: ZodMiniType<T>, request: HttpRequest): T {
  const query = getQuery(request)
  const names = Object.keys(query)
  const unknown = names.find(name => !/^filter(\[.*\])?$/s.test(name))
  if (unknown !== undefined) {
    throw new RelayError(
      'invalid_parameter',
      `\`${unknown}\` is unknown here; known is \`filter\`.`,
      { hint: 'Write its members as `filter[count]=10`, or all of them as a JSON object.' },
    )
  }
  if (names.length === 0) return parseInput(schema, {})
  const members = Object.entries(getObjectField(query, 'filter'))
  const isText = query.filter === undefined
  const typed = members.map(([name, value]) => [
    name,
    isText && numberMembers.has(name) ? (parseJson(value) ?? value) : value,
  ])
  return parseInput(schema, Object.fromEntries(typed))
}
