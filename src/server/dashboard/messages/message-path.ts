import type { Source } from '../../../domain/message/message.js'

export function getMessagePath(id: string): string {
  return `/messages/${encodeURIComponent(id)}`
}

/** How the dashboard names the ways in which a message was created. */
export const sourceLabels = {
  website: 'Dashboard',
  api: 'API',
  url: 'Secret URL',
  email: 'E-mail',
} as const satisfies Record<Source, string>
