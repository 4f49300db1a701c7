/**
 * The network's id of a part that a modem sent: the number and the modem's reference of 8 bits. A
 * receipt may have the number in another form than it was dialled in, so its last 8 digits count.
 */
export function createNetworkId(number: string, reference: number): string {
  return `${number.replace(/\D/g, '').slice(-8)}/${reference}`
}
