export const contactsPath = '/contacts'
export const groupsPath = '/contacts/groups'

export function getContactPath(number: string): string {
  return `${contactsPath}/${encodeURIComponent(number)}`
}
