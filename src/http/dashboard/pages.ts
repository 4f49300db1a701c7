import type { AppParts } from '../app.js'
import { overviewPages } from './pages/overview.js'
import type { Pages } from './visit.js'

/** Every page for who is signed in; README.md in this folder says how to add one. */
export function pages(parts: AppParts): Pages {
  return { ...overviewPages(parts) }
}
