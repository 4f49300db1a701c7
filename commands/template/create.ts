import { createCommand } from '../../src/cli/resource/resource-commands.js'
import { template } from '../../src/resources/template.js'

export default createCommand(template, 'create')
