export const outputTexts: readonly string[] = [
  'Commands that list or show things take these flags. `-o json` is the same as `--json`. CSV ' +
    'has all columns and is RFC 4180 in UTF-8, with a header; an apostrophe is put before a ' +
    'cell that a spreadsheet would run as a formula. A table shows ' +
    'the age of times on a terminal, and times in UTC elsewhere; the other formats always have ' +
    'the times.',
  'The names of columns are those of the JSON fields where there is one; an unknown name is an ' +
    'error that lists them. `--jq` needs no installed jq. Its program, and all other output ' +
    'flags, are checked before the first request. If there are more records than a command ' +
    'prints, it says on stderr how to get them, unless it prints JSON.',
]
