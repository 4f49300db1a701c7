import { describe, it } from 'vitest'
import { createDriver } from '../../../../src/phone/drivers/driver-registry.js'
import {
  type Consequence,
  checkResults,
  findFault,
  many,
  planFaults,
  sendAll,
} from '../faults-rig.js'
import { createStandIns } from '../stand-ins.js'

interface Rig {
  readonly options: Readonly<Record<string, string>>
  readonly faults: Readonly<Record<string, Consequence>>
  readonly programs: Readonly<Record<string, string>>
}

const rigs: Readonly<Record<string, Rig>> = {
  termux: {
    options: {},
    faults: {
      permission: 'sent',
      illegal: 'sent',
      lost: 'unknown, went out',
      killed: 'unknown, did not',
    },
    programs: {
      'termux-telephony-deviceinfo': `echo '{"sim_state": "ready"}'`,
      'termux-sms-send': `text=$(cat)
${findFault}case $fault in
permission) echo '{"error": "Please grant the following permission"}';;
illegal) echo "termux-sms-send: illegal option"; exit 1;;
lost) goes_out; exit 1;;
killed) kill -9 $$;;
*) goes_out;;
esac`,
    },
  },
  gammu: {
    options: {},
    faults: {
      refused: 'sent',
      congested: 'sent',
      locked: 'sent',
      lost: 'unknown, went out',
      halfway: 'unknown, did not',
      killed: 'unknown, did not',
    },
    programs: {
      gammu: `for text; do :; done
${findFault}ok() {
  echo "Sending SMS $1/$parts....waiting for network answer..OK, message reference=7"
}
no() { echo "Sending SMS 1/$parts..error $1, message reference=-1"; exit 127; }
case $fault in
refused) no 21;;
congested) no 42;;
locked) echo "Error opening device, it is locked."; exit 103;;
lost) ok 1; goes_out; kill -9 $$;;
halfway) parts=9; ok 1; no 42;;
killed) printf "Sending SMS 1/$parts"; kill -9 $$;;
*) i=1; while [ $i -le $parts ]; do ok $i; i=$((i+1)); done; goes_out;;
esac`,
    },
  },
  mmcli: {
    options: {},
    faults: {
      disabled: 'sent',
      network: 'sent',
      slow: 'sent',
      lost: 'unknown, went out',
      silent: 'unknown, did not',
    },
    programs: {
      mmcli: `sms=/org/freedesktop/ModemManager1/SMS
dbus=GDBus.Error:org.freedesktop.ModemManager1.Error
case "$*" in
*--messaging-create-sms*) text="$*"
${findFault}[ $fault = disabled ] && { echo "error: modem not enabled yet" >&2; exit 1; }
echo $fault > "$here/sms.$n"; echo "Successfully created new SMS: $sms/$n"; exit;;
*--messaging-delete-sms*) exit;;
esac
n=\${2##*/}; read -r fault < "$here/sms.$n"; text="n=$n p=0 "
goes_out() { echo "$n" >> "$here/outbox"; }
fails() { echo "error: couldn't send the SMS: '$1'" >&2; exit 1; }
case "$*" in
*--send*) case $fault in
  network) fails "$dbus.Message.NoNetwork: x";;
  slow|lost) goes_out; fails "Timeout was reached";;
  silent) fails "Timeout was reached";;
  *) goes_out;;
  esac;;
*) case $fault in
  slow) echo "sms.properties.state : sent";;
  *) echo "sms.properties.state : sending";;
  esac;;
esac`,
    },
  },
}

describe('with faults in the program', () => {
  it.each(Object.entries(rigs))(
    `%s loses and doubles none of ${many} messages`,
    async (name, { options, faults, programs }) => {
      const rig = await createStandIns()
      for (const [program, script] of Object.entries(programs)) await rig.add(program, script)
      const plan = await planFaults(rig, faults)
      const driver = createDriver(name, options, { env: rig.env })
      const results = await sendAll(driver, many)
      const outbox = (await rig.read('outbox')).split('\n').filter(Boolean).map(Number)
      checkResults(results, outbox, n => faults[plan.get(n) ?? ''] ?? 'sent')
    },
    many * 1000 + 60_000,
  )
})
