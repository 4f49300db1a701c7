/** `const x_1 = require("y");`, also with the helpers of interoperation, as TypeScript compiles an import. */
const load = /^(?:const|var) (\w+_\d+) = ((?:__import(?:Default|Star)\()?require\("[^"]+"\)\)?);$/gm

/**
 * A plug-in for rolldown: what the chosen modules import is loaded when it is first used, not when they are. One command
 * uses a third of what oclif loads for it. A module that is not of the expected form stays as it is.
 */
export function loadLate(chosen) {
  return { name: 'load-late', transform: (code, id) => (chosen.test(id) ? late(code) : null) }
}

function late(code) {
  const names = []
  const changed = code.replace(load, (_, name, expression) => {
    names.push(name)
    return `let ${name}$;\nconst ${name}$load = () => (${name}$ ??= ${expression});`
  })
  return names.reduce(
    (text, name) => text.replace(new RegExp(`\\b${name}\\b(?!\\$)`, 'g'), () => `(${name}$load())`),
    changed,
  )
}
