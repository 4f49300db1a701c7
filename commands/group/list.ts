import { createCommand } from '../../src/cli/resource/resource-commands.js'
import { group } from '../../src/resources/group.js'

export default createCommand(group, 'list')
