export interface AccountRecord {
  readonly id: string
  readonly account: string
}
