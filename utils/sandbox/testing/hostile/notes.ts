/**
 * A job that leaves a note and a megabyte wherever it can write, and the next one, which looks for them. Also a command,
 * so that a test can run it as another user.
 */

import { openSandbox } from "../../sandbox.ts";

/** Tries every folder of the file system, what is mounted, and what is kept in memory under a name. */
const SEARCH = `
import os
def folders():
    for top, names, _ in os.walk('/'):
        yield top
        names[:] = [name for name in names if not os.path.islink(os.path.join(top, name))]
        if top.count('/') > 3: names[:] = []
`;

const LEAVE = `${SEARCH}
left = 0
for folder in folders():
    try:
        with open(os.path.join(folder, 'note'), 'wb') as file: file.write(b'1' * (1 << 20))
        left += 1
    except OSError: pass
for name in ('null', 'zero', 'full', 'random', 'urandom', 'tty'):
    try: os.chmod('/dev/' + name, 0o640); left += 1000
    except OSError: pass
    try: os.rename('/dev/' + name, '/dev/note'); left += 1000
    except OSError: pass
print(left)
`;

const FIND = `${SEARCH}
found = [folder for folder in folders() if os.path.lexists(os.path.join(folder, 'note'))]
found += [name for name in os.listdir('/dev') if os.lstat('/dev/' + name).st_mode & 0o777 == 0o640]
print(found)
`;

export interface Notes {
  /** Places where the first job could write, by its own account. */
  left: number;
  /** What the next one found. */
  found: string;
  separateUsers: boolean;
}

export async function passNotes(): Promise<Notes> {
  await using sandbox = await openSandbox({ layer: "bwrap", concurrency: 1 });
  const run = async (code: string) => {
    const { stdout, stderr, explanation } = await sandbox.run({ code, timeoutMs: 60_000 });
    if (stderr || explanation) throw new Error(stderr + explanation);
    return stdout.trim();
  };
  const left = Number(await run(LEAVE));
  return { left, found: await run(FIND), separateUsers: sandbox.info.separateUsers };
}

if (process.argv[1] === import.meta.filename) process.stdout.write(JSON.stringify(await passNotes()));
