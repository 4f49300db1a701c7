import { allResources } from '../../src/resources/resources.js'
import { describeResource } from './describe-resource.js'

for (const resource of allResources) describeResource(resource)
