export const contactsPath = '/contacts'
export const groupsPath = '/contacts/groups'
export const templatesPath = '/templates'

export function getContactPath(number: string): string {
  return `${contactsPath}/${encodeURIComponent(number)}`
}
