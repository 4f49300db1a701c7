import type { Source } from '../../../domain/message/message.js'

export function getMessagePath(id: string): string {
  return `/messages/${encodeURIComponent(id)}`
}

export const conversationsPath = '/conversations'

export function getConversationPath(number: string): string {
  return `${conversationsPath}/${encodeURIComponent(number)}`
}

export const phonesPath = '/phones'

export function getPhonePath(name: string): string {
  return `${phonesPath}/${encodeURIComponent(name)}`
}

export const sourceLabels = {
  website: 'Dashboard',
  api: 'API',
  url: 'Secret URL',
  email: 'E-mail',
} as const satisfies Record<Source, string>
