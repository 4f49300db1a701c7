/** Where the page of a message is. */
export function getMessagePath(id: string): string {
  return `/messages/${encodeURIComponent(id)}`
}
