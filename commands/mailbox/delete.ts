import { createCommand } from '../../src/cli/resource/resource-commands.js'
import { mailbox } from '../../src/resources/mailbox.js'

export default createCommand(mailbox, 'delete')
