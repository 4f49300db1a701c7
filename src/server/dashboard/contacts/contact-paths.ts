export const contactsPath = '/contacts'
export const groupsPath = '/contacts/groups'
export const templatesPath = '/templates'

/** The dashboard's page of the contact of a canonical number. */
export function getContactPath(number: string): string {
  return `${contactsPath}/${encodeURIComponent(number)}`
}
