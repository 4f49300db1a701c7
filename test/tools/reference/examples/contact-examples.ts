import type { ExampleRequest } from './example-request.js'

export const contactExamples: readonly ExampleRequest[] = [
  {
    operation: 'addContact',
    body: {
      number: '+12025550143',
      name: 'Ann',
      fields: { city: 'Berlin' },
      groups: ['Customers'],
    },
  },
  {
    operation: 'importContacts',
    body: {
      contacts: [{ number: '+12025550187', name: 'Bob', groups: ['Customers'] }, { number: '12' }],
      skip_invalid: true,
    },
  },
  { operation: 'listContacts', query: { group: 'Customers', count: '1' } },
  { operation: 'getContact', parameters: { number: '%2B12025550143' } },
  {
    operation: 'editContact',
    parameters: { number: '%2B12025550143' },
    body: { name: 'Ann Brown' },
  },
  { operation: 'deleteContact', parameters: { number: '%2B12025550187' } },
  { operation: 'createGroup', body: { name: 'Team' }, hides: { GROUP_ID: 'group.id' } },
  { operation: 'listGroups' },
  { operation: 'getGroup', parameters: { id: '$GROUP_ID' } },
  { operation: 'editGroup', parameters: { id: '$GROUP_ID' }, body: { name: 'Staff' } },
  { operation: 'deleteGroup', parameters: { id: '$GROUP_ID' } },
  {
    operation: 'createTemplate',
    body: { name: 'Open late', text: 'Hi {name|there}, we are open late today.' },
    hides: { TEMPLATE_ID: 'template.id' },
  },
  { operation: 'listTemplates' },
  { operation: 'getTemplate', parameters: { id: '$TEMPLATE_ID' } },
  { operation: 'editTemplate', parameters: { id: '$TEMPLATE_ID' }, body: { name: 'Late' } },
  { operation: 'deleteTemplate', parameters: { id: '$TEMPLATE_ID' } },
]
