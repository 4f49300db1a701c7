import { lstatSync, readlinkSync, type Stats, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'

/** Names the working directory also to a user who may not enter the directories above it. */
const workingDirectory = '/proc/self/cwd'
const maxLinks = 40

/**
 * For a command of root: becomes, for good, the user who can lead the path of a directory elsewhere
 * by renaming it or putting a link in its place. Call it before the directory is touched. Returns
 * the path by which that user reaches the directory. Does nothing for other users, for directories
 * that only root can move, in a thread, and for a root that cannot become others, as in some
 * containers.
 */
export function becomeOwner(directory: string): string {
  if (process.geteuid?.() !== 0) return directory
  const owner = findOwner(resolve(directory))
  if (owner === undefined) return directory
  try {
    process.seteuid?.(owner.uid)
  } catch {
    return directory
  }
  const { username, gid } = readUser() ?? owner
  const isHidden = isBehindOthers(directory)
  process.seteuid?.(0)
  const path = isHidden ? enter(directory) : directory
  if (username === undefined) process.setgroups?.([gid])
  else initgroups?.(username, gid)
  process.setgid?.(gid)
  process.setuid?.(owner.uid)
  return path
}

interface Owner {
  readonly uid: number
  readonly gid: number
  readonly username?: undefined
}

/** The first user other than root who owns a directory or a link on the path. */
function findOwner(path: string): Owner | undefined {
  const names = split(path)
  let reached = '/'
  for (let links = 0; names.length > 0; ) {
    const next = join(reached, names.shift() ?? '')
    const found = inspect(next)
    if (found === undefined) return undefined
    if (found.uid !== 0) return { uid: found.uid, gid: found.gid }
    if (found.isSymbolicLink() && links < maxLinks) {
      links += 1
      const target = readlinkSync(next)
      names.unshift(...split(target))
      if (target.startsWith('/')) reached = '/'
    } else {
      reached = next
    }
  }
  return undefined
}

function split(path: string): string[] {
  return path.split('/').filter(name => name !== '')
}

function inspect(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

/** The types of Node lack it. */
const { initgroups } = process as { initgroups?: (user: string, group: number) => void }

/** The entry of the effective user in passwd; undefined without one. */
function readUser(): { readonly username: string; readonly gid: number } | undefined {
  try {
    return userInfo()
  } catch {
    return undefined
  }
}

function isBehindOthers(directory: string): boolean {
  try {
    statSync(directory)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES'
  }
}

/** Enters a directory, such as one of a DynamicUser= below the private directory of systemd. */
function enter(directory: string): string {
  try {
    statSync(workingDirectory)
    process.chdir(directory)
    return workingDirectory
  } catch {
    return directory
  }
}
