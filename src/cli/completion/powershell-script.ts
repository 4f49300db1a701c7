import type { Candidate, CompletionTable, ValueEntry } from './completion-table.js'

/** Makes the completion script for PowerShell 5.1 or newer. */
export function formatPowershellScript(table: CompletionTable): string {
  const { global, connection, nodes, values } = table
  const commands = nodes.map(({ name, subcommands, flags, common }) => {
    const shared = { none: '', global: ' + $common', connection: ' + $common + $connection' }[
      common
    ]
    return (
      `    ${quote(name)} = @{ Subcommands = ${listPairs(subcommands)}; ` +
      `Flags = ${listPairs(flags)}${shared} }`
    )
  })
  return `# Completion of smsrelay in PowerShell. Made by: smsrelay completion powershell

$global:SmsrelayCommands = & {
  $common = ${listPairs(global)}
  $connection = ${listPairs(connection)}
  @{
${commands.join('\n')}
  }
}
# Values by "command --flag", "* --flag" or "command number": the kind, then the words.
$global:SmsrelayValues = @{
${values.flatMap(formatValue).join('\n')}
}

${completer}`
}

const completer = `Register-ArgumentCompleter -Native -CommandName smsrelay -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $current = "$wordToComplete"
  $before = @($commandAst.CommandElements |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition -or
      ($current -eq '' -and $_.Extent.EndOffset -le $cursorPosition) } |
    ForEach-Object { $_.ToString() })
  $findValue = {
    param($command, $key)
    $value = $SmsrelayValues["$command $key"]
    if ($null -eq $value) { $value = $SmsrelayValues["* $key"] }
    $value
  }
  $command = ''; $number = 1; $flag = ''; $rest = $false; $prefix = ''
  $typed = @()
  for ($i = 1; $i -lt $before.Count; $i++) {
    $word = $before[$i]
    $longer = "$command $word".Trim()
    $flag = ''
    if ($rest) { $number++ }
    elseif ($word -eq '--') { $rest = $true }
    elseif ($word.StartsWith('-')) {
      if ($word -match '^--(profile|url)=') { $typed += $word }
      elseif (-not $word.Contains('=') -and $null -ne (& $findValue $command $word)) {
        if ($i + 1 -lt $before.Count) { $i++ } else { $flag = $word }
        if ($flag -eq '' -and $word -in '--profile', '--url') { $typed += $word, $before[$i] }
      }
    }
    elseif ($number -eq 1 -and $SmsrelayCommands.ContainsKey($longer)) { $command = $longer }
    else { $number++ }
  }
  if ($flag -eq '' -and -not $rest -and $current -like '--*=*') {
    $flag, $current = $current.Split('=', 2)
    $prefix = "$flag="
  }
  $node = $SmsrelayCommands[$command]
  $pairs = @(); $value = $null
  if ($flag -ne '') { $value = & $findValue $command $flag }
  elseif (-not $rest -and $current.StartsWith('-')) { $pairs = $node.Flags }
  elseif ($number -eq 1 -and $node.Subcommands.Count -gt 0) { $pairs = $node.Subcommands }
  else { $value = $SmsrelayValues["$command $number"] }
  if ($null -ne $value) {
    switch ($value[0]) {
      'none' { }
      'words' { $pairs = @($value | Select-Object -Skip 1 | ForEach-Object { "$_\`t$_" }) }
      { $_ -in 'files', 'directories' } {
        $only = @{ Directory = ($value[0] -eq 'directories') }
        $folder = if ($current -match '[\\\\/]') { $current -replace '[^\\\\/]*$', '' } else { '' }
        $pairs = @(Get-ChildItem -Path "$current*" @only -ErrorAction SilentlyContinue |
          ForEach-Object { "$folder$($_.Name)\`t$($_.Name)" })
      }
      default { $pairs = @(& $before[0] complete $value[0] @typed 2>$null) }
    }
  }
  foreach ($pair in $pairs) {
    $word, $description = "$pair".Split("\`t", 2)
    if ($word -eq '' -or -not $word.StartsWith($current)) { continue }
    if ([string]::IsNullOrEmpty($description)) { $description = $word }
    $kind = if ($word.StartsWith('-')) { 'ParameterName' } else { 'ParameterValue' }
    [System.Management.Automation.CompletionResult]::new("$prefix$word", $word, $kind, $description)
  }
}
`

function formatValue({ keys, kind, words }: ValueEntry): string[] {
  const items = [kind, ...words].map(quote).join(', ')
  return keys.map(key => `  ${quote(key)} = @(${items})`)
}

/** Each as one text, with a tab between the word and its description. */
function listPairs(candidates: readonly Candidate[]): string {
  const pairs = candidates.map(({ word, description }) => {
    return `${quote(word)} + "\`t" + ${quote(description)}`
  })
  return `@(${pairs.map(pair => `(${pair})`).join(', ')})`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
