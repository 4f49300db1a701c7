import { boolean, string } from '@oclif/core/flags'

export const importFlags = {
  'dry-run': boolean({
    description: 'Check the file without importing it.',
    env: 'SMSRELAY_DRY_RUN',
  }),
  encoding: string({
    description: 'Encoding, such as windows-1252.',
    env: 'SMSRELAY_ENCODING',
    defaultHelp: async () => 'UTF-8',
    helpValue: 'NAME',
  }),
  'skip-invalid': boolean({
    description: 'Import the valid lines, even if others are invalid.',
    env: 'SMSRELAY_SKIP_INVALID',
  }),
}
