// Length-prefixed JSON messages over a blocking descriptor: the same wire format as `python/wire/frames.py`.

const fs = require("node:fs");

/** Largest message in bytes between an untrusted program and its judge. */
const LIMIT = 8 * 1024 * 1024;
/** Largest message between our own processes: tests may carry large inputs. */
const TRUSTED_LIMIT = 128 * 1024 * 1024;

/** The other end is gone. */
class Closed extends Error {}
/** What arrived is not a message. */
class Malformed extends Error {}
/** The message to send is over the limit. */
class TooLarge extends Error {}

function readExactly(fd, count) {
  const received = Buffer.alloc(count);
  for (let at = 0; at < count; ) {
    let size = 0;
    try {
      size = fs.readSync(fd, received, at, count - at, null);
    } catch {
      throw new Closed();
    }
    if (size === 0) throw new Closed();
    at += size;
  }
  return received;
}

/** The next message. Throws Closed or Malformed and nothing else, whatever the other end sent. */
function receive(fd, limit = LIMIT) {
  const size = readExactly(fd, 4).readUInt32LE(0);
  if (size > limit) throw new Malformed(`a message of ${size} bytes`);
  const body = readExactly(fd, size);
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new Malformed("a message that is not JSON");
  }
}

/** Sends one message. Throws TooLarge before anything is sent, Closed if the other end is closed. */
function send(fd, message, limit = LIMIT) {
  const body = Buffer.from(JSON.stringify(message), "utf8");
  if (body.length > limit) throw new TooLarge(`more than ${limit >> 20} MB`);
  const frame = Buffer.alloc(4 + body.length);
  frame.writeUInt32LE(body.length, 0);
  body.copy(frame, 4);
  try {
    for (let at = 0; at < frame.length; ) at += fs.writeSync(fd, frame, at);
  } catch {
    throw new Closed();
  }
}
