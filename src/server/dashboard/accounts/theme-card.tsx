import { Card } from '../components/card.js'
import { Actions, Button, Form } from '../components/form.js'
import { Select } from '../components/form-fields.js'
import { type Html, h } from '../components/html.js'
import type { Theme } from '../session/theme.js'

const options = [
  ['system', 'Same as the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const satisfies readonly (readonly [Theme, string])[]

export function ThemeCard({ theme, csrf }: { readonly theme: Theme; csrf: string }): Html {
  return (
    <Card title="Theme of this browser" id="theme-title">
      <Form action="/settings/theme" csrf={csrf}>
        <Select label="Theme" name="theme" value={theme} options={options} />
        <Actions>
          <Button label="Apply" variant="secondary" />
        </Actions>
      </Form>
    </Card>
  )
}
