package mendjudge;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Messages with their length in front over a socket: the frames of `python/wire/frames.py`. */
final class Channel {
    /** Largest message in bytes between an untrusted program and its judge. */
    static final int LIMIT = 8 << 20;
    /** Largest message between our own processes: tests may carry large inputs. */
    static final int TRUSTED_LIMIT = 128 << 20;
    /** Of one field of a verdict. */
    private static final int MOST_CHARS = 2000;

    /** The other end is gone. */
    static final class Closed extends Exception {
        private static final long serialVersionUID = 1;

        Closed(String why) {
            super(why);
        }
    }

    /** The bytes that arrived are not a message. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;

        Malformed(String what) {
            super(what);
        }
    }

    private final FileInputStream in;
    private final FileOutputStream out;

    /** A socket, which both reads and writes. */
    Channel(FileDescriptor socket) {
        in = new FileInputStream(socket);
        out = new FileOutputStream(socket);
    }

    byte[] receive(int limit) throws Closed, Malformed {
        byte[] head = exactly(4);
        long size = (head[0] & 0xffL) | (head[1] & 0xffL) << 8 | (head[2] & 0xffL) << 16 | (head[3] & 0xffL) << 24;
        if (size > limit) throw new Malformed("a message of " + size + " bytes");
        return exactly((int) size);
    }

    private byte[] exactly(int count) throws Closed {
        try {
            byte[] read = new byte[count];
            for (int at = 0; at < count; ) {
                int size = in.read(read, at, count - at);
                if (size < 0) throw new Closed("the other end is gone");
                at += size;
            }
            return read;
        } catch (IOException gone) {
            throw new Closed(gone.getMessage());
        }
    }

    /** Says a verdict by the fields of `supervision/outcome.py`, and ends this process. Never returns. */
    Error end(Object... fields) {
        String[] told = new String[fields.length];
        int half = MOST_CHARS / 2;
        for (int i = 0; i < told.length; i++) {
            String text = fields[i].toString().replace('\0', ' ');
            told[i] = text.length() <= MOST_CHARS ? text : text.substring(0, half) + text.substring(text.length() - half);
        }
        try {
            send(String.join("\0", told).getBytes(StandardCharsets.UTF_8));
        } catch (Closed gone) {
            // There is nobody to tell it.
        }
        Runtime.getRuntime().halt(0);
        return new Error();
    }

    void send(byte[] body) throws Closed {
        int size = body.length;
        byte[] frame = new byte[4 + size];
        for (int i = 0; i < 4; i++) frame[i] = (byte) (size >> 8 * i);
        System.arraycopy(body, 0, frame, 4, size);
        try {
            out.write(frame);
        } catch (IOException gone) {
            throw new Closed(gone.getMessage());
        }
    }
}
