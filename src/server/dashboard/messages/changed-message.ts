import type { Message, Status } from '../../../domain/message/message.js'

const changes: Readonly<Record<Status, string>> = {
  N: 'has been changed',
  E: 'has been changed',
  S: 'has been sent',
  F: 'has failed',
  D: 'has been cancelled',
  L: 'has been locked',
  B: 'has been blocked',
}

export function describeMeanwhile({ status }: Message): string {
  return `The message ${changes[status]} in the meantime.`
}
