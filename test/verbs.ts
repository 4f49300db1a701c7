/** The words with which functions begin (`test/tidy.test.ts`): verbs, auxiliaries, conversions. */
export const verbs: ReadonlySet<string> = new Set(
  `are can from has is may must should to was were will with
  accept accepts add align answer append apply ask assert assign attach authenticate await backup
  begin bind block build call cancel check choose claim classify clean clear close collect combine
  compact compare compose compress compute concatenate confirm connect contains convert copy count
  crash create decide decode decompress decrypt dedupe define delete deliver derive describe
  detach detect disable discard dispatch dispose divide drain draw drive drop drops edit enable
  encode encrypt end ends enqueue ensure enter equals escape evaluate exchange exec execute exists
  expect expire explain export extract fetch fill filter find finish fit flush follow format
  forward fsync generate get group guard handle hash hold identify ignore import includes insert
  inspect install interpret invoke issue iterate join keep keeps kill limit link list listen load
  lock log look make map mark mask match measure memoize merge migrate mix mount move mux needs
  normalize notify observe omit open owns pack pad paint parse pause persist pick pin plan
  pluralize poll preload prepare print probe process prompt prune publish pull purge push put
  queue quote raise read rebuild receive receives reconnect record redact redeliver redirect
  refresh refuse register reject release remove rename render renew reopen repair repeat replace
  replay reply report request require reserve reset resolve restart restore restrict resume retry
  return reuse revise revoke rewrite rotate run sanitize save scan schedule search segment select
  send serialize serve set settle share shorten show shuffle sign signal simulate skip slice sort
  split splits start starts stop store stream strip submit subscribe subtract suggest sum supports
  swap sync take test throttle throw tokenize track transform translate trigger trim truncate try
  unblock undelete unescape uninstall unlock unmask unpack unquote unregister unschedule
  unsubscribe unwrap update upgrade upload use validate verify visit wait wake walk warn watch
  wrap write`.split(/\s+/),
)
