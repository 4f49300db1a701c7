import { string } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'

export const setupArgument = {
  setup: string({ description: 'Setup of `phone setup`; without one, the service is the relay.' }),
}

export const userFlag = {
  user: boolean({
    description: 'Use a service of your user, as for everybody but root.',
    env: 'SMSRELAY_USER',
  }),
}
