import type { HttpRequest } from '../../../net/server/http-request.js'
import type { HttpResponse } from '../../../net/server/http-response.js'
import { getCookie, setCookie } from './cookies.js'

const themes = ['system', 'light', 'dark'] as const

export type Theme = (typeof themes)[number]

const themeCookie = 'smsrelay_theme'
/** Seconds. */
const maxAge = 365 * 24 * 60 * 60

export function readTheme(request: HttpRequest): Theme {
  return parseTheme(getCookie(request, themeCookie, false))
}

/** Sets the dashboard's theme for the browser; an unknown one counts as that of the system. */
export function setTheme(response: HttpResponse, name: string): void {
  const value = parseTheme(name)
  setCookie(response, {
    name: themeCookie,
    value,
    secure: false,
    maxAge: value === 'system' ? 0 : maxAge,
  })
}

function parseTheme(name: string | undefined): Theme {
  return themes.find(each => each === name) ?? 'system'
}
